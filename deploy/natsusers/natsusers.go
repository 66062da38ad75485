// Package natsusers describes the users of NATS: which subjects each service may publish to and
// subscribe to. The servers of Compose, of Kubernetes and of the local stack are configured from
// this description: the former two by files that make golden writes.
package natsusers

import (
	"fmt"
	"slices"
	"strings"
)

// The names of the users.
const (
	Admin     = "admin"
	Projector = "projector"
	Query     = "query"
	Operator  = "operator" // of people and of their tools, and without bounds
)

// All lists the names of the users.
var All = []string{Admin, Projector, Query, Operator}

// Variable returns the environment variable of the server with a user's password.
func Variable(user string) string { return "NATS_" + strings.ToUpper(user) + "_PASSWORD" }

// Permissions are the subjects that a user may publish to and subscribe to; it may use no others.
type Permissions struct{ Publish, Subscribe []string }

// The streams, and the first part of the subjects.
const (
	catalogue = "CATALOG"
	dead      = "CATALOG_DEAD"
	keys      = "CATALOG_KEYS"
	journal   = "CATALOG_CHANGES"
	work      = "CATALOG_WORK"
	leases    = "KV_CATALOG_LEASES"
	prefix    = "catalog"
	api       = "$JS.API."
)

// Of returns the permissions of a user. A user has a prefix of its own for the answers to its
// requests, so that none reads the answers to another's.
func Of(user string) Permissions {
	own := inbox(user)
	switch user {
	case Admin:
		return Permissions{
			Publish: slices.Concat(
				[]string{prefix + ".>", prefix + "-keys.>", prefix + "-changes", prefix + "-work.>", prefix + "-complete", inbox(Query), api + "INFO"},
				making(catalogue, dead, keys, journal, work, leases), reading(catalogue, dead, keys, journal, work, leases),
				consuming(catalogue, work, leases),
			),
			Subscribe: []string{own, prefix + "-serving", prefix + "-complete", prefix + "-ask.report"},
		}
	case Projector:
		return Permissions{
			Publish: slices.Concat(
				[]string{prefix + "-dead.>", prefix + "-applied.*", "$KV.CATALOG_LEASES.>", own},
				commands(), reading(catalogue, dead, leases), consuming(catalogue),
				[]string{api + "STREAM.MSG.DELETE." + dead},
			),
			Subscribe: append(commands(), own, prefix+"-complete"),
		}
	case Query: // no consumers: who creates one chooses the subject that it publishes to
		return Permissions{
			Publish:   append(reading(catalogue, keys, journal), prefix+"-serving", prefix+"-ask.report"),
			Subscribe: []string{own, prefix + "-applied.*", prefix + "-serving", prefix + "-keys.>"},
		}
	default:
		return Permissions{Publish: []string{">"}, Subscribe: []string{">"}}
	}
}

// inbox returns the subjects of the answers to a user's requests; see stream.Config.
func inbox(user string) string { return "_INBOX." + user + ".>" }

// commands are the subjects of the commands of projectors, which one of them sends to another.
func commands() []string {
	return []string{prefix + "-ask.rebuild.*", prefix + "-ask.prune.*", prefix + "-ask.replay.*"}
}

// making returns the requests that create streams and change their settings.
func making(streams ...string) []string {
	return requests(streams, "STREAM.CREATE.%s", "STREAM.UPDATE.%s")
}

// reading returns the requests that read streams by message, and their settings.
func reading(streams ...string) []string {
	return requests(streams, "STREAM.INFO.%s", "STREAM.MSG.GET.%s", "DIRECT.GET.%s", "DIRECT.GET.%s.>")
}

// consuming returns the requests for consumers, and the subjects of acknowledgements in both forms
// of the server.
func consuming(streams ...string) []string {
	subjects := requests(streams, "CONSUMER.CREATE.%s.>", "CONSUMER.DURABLE.CREATE.%s.>", "CONSUMER.INFO.%s.>",
		"CONSUMER.DELETE.%s.>", "CONSUMER.LIST.%s", "CONSUMER.MSG.NEXT.%s.>")
	for _, stream := range streams {
		subjects = append(subjects, "$JS.ACK."+stream+".>", "$JS.ACK.*.*."+stream+".>")
	}
	return subjects
}

func requests(streams []string, forms ...string) (subjects []string) {
	for _, stream := range streams {
		for _, form := range forms {
			subjects = append(subjects, api+fmt.Sprintf(form, stream))
		}
	}
	return subjects
}

// Config returns the part of a server's configuration that has the users, with their passwords
// from the environment.
func Config() string {
	var b strings.Builder
	b.WriteString("authorization {\n  users: [\n")
	for _, user := range All {
		permissions := Of(user)
		fmt.Fprintf(&b, "    {user: %s, password: $%s, permissions: {\n", user, Variable(user))
		fmt.Fprintf(&b, "      publish: {allow: [\n%s      ]}\n", lines(permissions.Publish))
		fmt.Fprintf(&b, "      subscribe: {allow: [\n%s      ]}\n", lines(permissions.Subscribe))
		b.WriteString("    }}\n")
	}
	b.WriteString("  ]\n}\n")
	return b.String()
}

// lines returns subjects as items of a list, one a line.
func lines(subjects []string) string {
	var b strings.Builder
	for _, subject := range subjects {
		fmt.Fprintf(&b, "        %q\n", subject)
	}
	return b.String()
}
