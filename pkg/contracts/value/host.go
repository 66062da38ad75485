package value

import "strings"

// Host returns a host as hosts are compared: in small letters, and without the dot at the end of a
// name, which means the same with it. A port stays.
func Host(host string) string {
	host = strings.ToLower(host)
	name, port := host, ""
	if at := strings.LastIndexByte(host, ':'); at > strings.LastIndexByte(host, ']') {
		name, port = host[:at], host[at:]
	}
	return strings.TrimSuffix(name, ".") + port
}
