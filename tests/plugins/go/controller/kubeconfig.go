package main

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"fmt"
	"net/http"
	"os"

	"gopkg.in/yaml.v3"
	"jobsmith.dev/controllers/httpcluster"
)

// file is the part of a kubeconfig that is read: servers, and users with a token or a certificate.
type file struct {
	Clusters []struct {
		Cluster struct {
			Server    string
			Authority data `yaml:"certificate-authority-data"`
		}
	}
	Users []struct {
		User struct {
			Token       string
			Certificate data `yaml:"client-certificate-data"`
			Key         data `yaml:"client-key-data"`
		}
	}
}

// data is bytes in base64.
type data []byte

func (d *data) UnmarshalText(text []byte) (err error) {
	*d, err = base64.StdEncoding.DecodeString(string(text))
	return err
}

// bearer sends a token, if there is one, with each request.
type bearer struct {
	token string
	*http.Transport
}

func (b bearer) RoundTrip(request *http.Request) (*http.Response, error) {
	if b.token != "" {
		request = request.Clone(request.Context())
		request.Header.Set("Authorization", "Bearer "+b.token)
	}
	return b.Transport.RoundTrip(request)
}

// connect prepares to speak to the first cluster of a kubeconfig as its first user.
func connect(path string) (*httpcluster.Cluster, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var config file
	if err := yaml.Unmarshal(text, &config); err != nil || len(config.Clusters)*len(config.Users) == 0 {
		return nil, fmt.Errorf("%s: no cluster and user can be read: %v", path, err)
	}
	cluster, user := config.Clusters[0].Cluster, config.Users[0].User
	trust := &tls.Config{}
	if roots := x509.NewCertPool(); roots.AppendCertsFromPEM(cluster.Authority) {
		trust.RootCAs = roots
	}
	if pair, err := tls.X509KeyPair(user.Certificate, user.Key); err == nil {
		trust.Certificates = []tls.Certificate{pair}
	}
	client := &http.Client{Transport: bearer{user.Token, &http.Transport{TLSClientConfig: trust, MaxIdleConnsPerHost: 100}}}
	return &httpcluster.Cluster{Server: cluster.Server, Client: client}, nil
}
