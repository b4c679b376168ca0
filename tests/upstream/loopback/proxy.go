package loopback

import (
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
)

// Proxy passes requests on to a server as they are, and answers at once as the server does.
func Proxy(server *url.URL, transport http.RoundTripper) http.Handler {
	return &httputil.ReverseProxy{
		Rewrite:       func(r *httputil.ProxyRequest) { r.SetURL(server); r.Out.Host = server.Host },
		Transport:     transport,
		FlushInterval: -1,
		ErrorHandler:  func(w http.ResponseWriter, _ *http.Request, _ error) { w.WriteHeader(http.StatusBadGateway) },
	}
}

// Serve lets a handler answer on a free port, and returns its address.
func Serve(handler http.Handler) (*http.Server, string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, "", err
	}
	server := &http.Server{Handler: handler}
	go server.Serve(l)
	return server, l.Addr().String(), nil
}
