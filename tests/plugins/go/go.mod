module jobsmith.dev/plugins

go 1.25.0

require (
	gopkg.in/yaml.v3 v3.0.1
	jobsmith.dev/controllers v0.0.0
)

require (
	github.com/tetratelabs/wazero v1.12.0 // indirect
	golang.org/x/sys v0.44.0 // indirect
)

replace jobsmith.dev/controllers => ../../../host/bindings/go
