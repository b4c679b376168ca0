// Package cluster starts a real Kubernetes API server on this machine, and nodes that play pods. Nothing else of a
// cluster is there: no controller, no scheduler, no container.
package cluster

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/hex"
	"encoding/pem"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"upstream/loopback"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
)

// Options name where a cluster finds its programs and keeps its data.
type Options struct {
	// Bin is the folder with etcd and kube-apiserver.
	Bin string
	// Dir is the folder for data, certificates and logs.
	Dir string
	// Port is that of the API server; 0 is any free one.
	Port int
}

// Cluster is etcd and kube-apiserver on loopback. RBAC is on; the one user is the administrator.
type Cluster struct {
	// Config leads the administrator to the API server.
	Config *rest.Config
	// Kubeconfig is the path of a file that does the same.
	Kubeconfig string

	dir  string
	etcd *process
	api  *process
}

// patience is how long a part may take to be ready.
const patience = 2 * time.Minute

// Start starts both programs and waits until the API server is ready and has the namespace default.
func Start(options Options) (*Cluster, error) {
	c := &Cluster{dir: options.Dir, Kubeconfig: filepath.Join(options.Dir, "kubeconfig")}
	token, err := c.secrets()
	if err != nil {
		return nil, err
	}
	ports, err := freePorts(3)
	if err != nil {
		return nil, err
	}
	if options.Port == 0 {
		options.Port = ports[2]
	}
	c.prepare(options, ports[0], ports[1])
	if err := c.run(options.Port, token); err != nil {
		c.Stop()
		return nil, err
	}
	return c, nil
}

func freePorts(n int) (ports []int, err error) {
	for len(ports) < n {
		port, err := loopback.FreePort()
		if err != nil {
			return nil, err
		}
		ports = append(ports, port)
	}
	return ports, nil
}

func (c *Cluster) path(name string) string { return filepath.Join(c.dir, name) }

// secrets writes the key that signs the tokens of service accounts, and the administrator's token, which it returns.
func (c *Cluster) secrets() (string, error) {
	if err := os.MkdirAll(c.dir, 0o700); err != nil {
		return "", err
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return "", err
	}
	der, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		return "", err
	}
	if err := os.WriteFile(c.path("sa.key"), pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: der}), 0o600); err != nil {
		return "", err
	}
	random := make([]byte, 16)
	rand.Read(random)
	token := hex.EncodeToString(random)
	return token, os.WriteFile(c.path("tokens.csv"), []byte(token+`,admin,admin,"system:masters"`+"\n"), 0o600)
}

func (c *Cluster) prepare(options Options, client, peer int) {
	etcd := fmt.Sprintf("http://127.0.0.1:%d", client)
	c.etcd = &process{path: filepath.Join(options.Bin, "etcd"), log: c.path("etcd.log"), args: []string{
		"--data-dir", c.path("etcd"), "--listen-client-urls", etcd, "--advertise-client-urls", etcd,
		"--listen-peer-urls", fmt.Sprintf("http://127.0.0.1:%d", peer), "--unsafe-no-fsync", "--log-level", "error",
	}}
	key := c.path("sa.key")
	c.api = &process{path: filepath.Join(options.Bin, "kube-apiserver"), log: c.path("kube-apiserver.log"), args: []string{
		"--etcd-servers", etcd, "--bind-address", "127.0.0.1", "--secure-port", strconv.Itoa(options.Port),
		"--cert-dir", c.path("certificates"), "--token-auth-file", c.path("tokens.csv"), "--authorization-mode", "RBAC",
		"--service-account-issuer", "https://kubernetes.default.svc", "--service-account-key-file", key,
		"--service-account-signing-key-file", key, "--service-cluster-ip-range", "10.0.0.0/24",
		// Nothing creates the account that the first would give to each pod, and nothing removes the taint that the second gives to each node.
		"--disable-admission-plugins", "ServiceAccount,TaintNodesByCondition",
		"--max-requests-inflight", "3000", "--max-mutating-requests-inflight", "1000",
	}}
}

func (c *Cluster) run(port int, token string) error {
	if err := c.etcd.start(); err != nil {
		return err
	}
	if err := c.api.start(); err != nil {
		return err
	}
	certificates, err := c.certificates()
	if err != nil {
		return err
	}
	c.Config = &rest.Config{Host: fmt.Sprintf("https://127.0.0.1:%d", port), BearerToken: token,
		TLSClientConfig: rest.TLSClientConfig{CAData: certificates}, QPS: 5000, Burst: 5000}
	if err := os.WriteFile(c.Kubeconfig, loopback.Kubeconfig(c.Config.Host, certificates, token), 0o600); err != nil {
		return err
	}
	return c.ready()
}

// certificates waits until the API server has made its own.
func (c *Cluster) certificates() ([]byte, error) {
	for end := time.Now().Add(patience); time.Now().Before(end) && c.api.running(); time.Sleep(50 * time.Millisecond) {
		_, err := os.Stat(c.path("certificates/apiserver.key"))
		if certificates, readErr := os.ReadFile(c.path("certificates/apiserver.crt")); err == nil && readErr == nil {
			return certificates, nil
		}
	}
	return nil, fmt.Errorf("the API server makes no certificates: see %s", c.api.log)
}

// ready waits until the API server serves requests.
func (c *Cluster) ready() error {
	client, err := kubernetes.NewForConfig(c.Config)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	for c.api.running() && c.etcd.running() && ctx.Err() == nil {
		_, err = client.RESTClient().Get().AbsPath("/readyz").DoRaw(ctx)
		if err == nil {
			_, err = client.CoreV1().Namespaces().Get(ctx, metav1.NamespaceDefault, metav1.GetOptions{})
		}
		if err == nil {
			return nil
		}
		time.Sleep(100 * time.Millisecond)
	}
	return fmt.Errorf("the API server does not become ready (%v): see %s and %s", err, c.api.log, c.etcd.log)
}

// Restart kills a part (etcd or apiserver), leaves it down for a while, starts it again and waits until all is ready.
func (c *Cluster) Restart(part string, down time.Duration) error {
	parts := map[string]*process{"etcd": c.etcd, "apiserver": c.api}
	p, ok := parts[part]
	if !ok {
		return fmt.Errorf("there is no %q to restart, but etcd and apiserver", part)
	}
	p.stop(0)
	time.Sleep(down)
	if err := p.start(); err != nil {
		return err
	}
	return c.ready()
}

// Stop ends both programs.
func (c *Cluster) Stop() {
	c.api.stop(10 * time.Second)
	c.etcd.stop(5 * time.Second)
}
