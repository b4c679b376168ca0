package loopback

import (
	"fmt"
	"net"
	"os"
	"testing"
)

// A server that starts a moment later must find its port free, however many connections begin in between.
func TestFreePortIsNoneOfOutgoingConnections(t *testing.T) {
	text, err := os.ReadFile("/proc/sys/net/ipv4/ip_local_port_range")
	if err != nil {
		t.Skip("this system does not tell which ports outgoing connections get: ", err)
	}
	var first, last int
	if _, err := fmt.Sscan(string(text), &first, &last); err != nil {
		t.Fatal(err)
	}
	for range 100 {
		port, err := FreePort()
		if err != nil {
			t.Fatal(err)
		}
		if first <= port && port <= last {
			t.Fatalf("port %d is one of those that outgoing connections get: %d to %d", port, first, last)
		}
		l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port))
		if err != nil {
			t.Fatal(err)
		}
		l.Close()
	}
}
