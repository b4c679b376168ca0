// Package loopback holds what servers and clients on one machine need to find each other.
package loopback

import (
	"encoding/base64"
	"fmt"
	"net"
)

// FreePort is a TCP port that nobody listens on at this moment.
func FreePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}

// FreeAddress is an address with such a port.
func FreeAddress() (string, error) {
	port, err := FreePort()
	return fmt.Sprintf("127.0.0.1:%d", port), err
}

// Kubeconfig leads to a server by its URL; certificates (PEM) and token may be empty.
func Kubeconfig(server string, certificates []byte, token string) []byte {
	trust, user := "", "{}"
	if len(certificates) > 0 {
		trust = "\n    certificate-authority-data: " + base64.StdEncoding.EncodeToString(certificates)
	}
	if token != "" {
		user = "\n    token: " + token
	}
	return []byte(fmt.Sprintf(kubeconfig, server, trust, user))
}

const kubeconfig = `apiVersion: v1
kind: Config
clusters:
- name: loopback
  cluster:
    server: %s%s
users:
- name: admin
  user: %s
contexts:
- name: loopback
  context:
    cluster: loopback
    user: admin
    namespace: default
current-context: loopback
`
