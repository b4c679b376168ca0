// Package loopback holds what servers and clients on one machine need to find each other.
package loopback

import (
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"net"
)

const (
	// firstPort and lastPort bound the ports for servers that are started later. Systems take the ports of outgoing connections from 32768 or 49152 on:
	// a port from there may be in use again by the time its server listens.
	firstPort, lastPort = 15000, 32000
	// tries is how many of them may be in use before FreePort gives up.
	tries = 100
)

// FreePort is a TCP port that nobody listens on at this moment, and that no outgoing connection gets.
func FreePort() (port int, err error) {
	for range tries {
		port = firstPort + rand.IntN(lastPort-firstPort)
		l, failed := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port))
		if failed == nil {
			return port, l.Close()
		}
		err = failed
	}
	return 0, err
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
