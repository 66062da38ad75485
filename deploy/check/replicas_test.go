package check

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
)

// objectNamed returns the object of a type with this name.
func objectNamed[T interface{ GetName() string }](t *testing.T, c cluster, name string) T {
	t.Helper()
	for _, object := range c.objects {
		if found, ok := object.(T); ok && found.GetName() == name {
			return found
		}
	}
	var none T
	t.Fatalf("there is no %T %s", none, name)
	return none
}

// TestPodsMayStopInOrder: Kubernetes waits longer than a service takes to stop.
func TestPodsMayStopInOrder(t *testing.T) {
	manifests := load(t)
	settings := objectNamed[*corev1.ConfigMap](t, manifests, "litfass").Data
	delay, err := time.ParseDuration(settings["STOP_DELAY"])
	if err != nil || delay <= 0 {
		t.Fatalf("STOP_DELAY %q: requests are lost when a pod ends", settings["STOP_DELAY"])
	}
	timeout, err := time.ParseDuration(variables(t, "query")["STOP_TIMEOUT"])
	if err != nil {
		t.Fatal(err)
	}
	for owner, pod := range manifests.pods {
		grace := 30 * time.Second // of Kubernetes
		if seconds := pod.Spec.TerminationGracePeriodSeconds; seconds != nil {
			grace = time.Duration(*seconds) * time.Second
		}
		if grace <= delay+timeout {
			t.Errorf("%s is killed after %s, and may take %s to stop", owner, grace, delay+timeout)
		}
	}
}

// TestStreamOutlivesAServer: a majority of the servers stays when one fails, each knows all others,
// and the stream is on all of them.
func TestStreamOutlivesAServer(t *testing.T) {
	manifests := load(t)
	set := objectNamed[*appsv1.StatefulSet](t, manifests, "nats")
	servers := int(*set.Spec.Replicas)
	config := objectNamed[*corev1.ConfigMap](t, manifests, "nats").Data["nats.conf"]
	for i := range servers {
		if route := fmt.Sprintf("nats://nats-%d.%s:6222", i, set.Spec.ServiceName); !strings.Contains(config, route) {
			t.Errorf("no route to %s", route)
		}
	}
	replicas, err := strconv.Atoi(objectNamed[*corev1.ConfigMap](t, manifests, "litfass").Data["STREAM_REPLICAS"])
	if err != nil || replicas != servers || servers < 3 || servers%2 == 0 {
		t.Errorf("%d replicas of the stream on %d servers, %v", replicas, servers, err)
	}
}

// TestServicesShareLimits: every process that counts requests reads where they are counted
// together, and an operator's own server takes the place of the one of the manifests.
func TestServicesShareLimits(t *testing.T) {
	manifests := load(t)
	const shared = "litfass-limits"
	if got := objectNamed[*corev1.ConfigMap](t, manifests, shared).Data["LIMITS_URL"]; got != "redis://valkey:6379" {
		t.Errorf("LIMITS_URL is %q", got)
	}
	counting := 0
	for owner, pod := range manifests.pods {
		if !slices.Contains([]string{"admin", "query", "site", "console"}, pod.Labels["app"]) {
			continue
		}
		counting++
		for _, container := range pod.Spec.Containers {
			ofConfig := slices.ContainsFunc(container.EnvFrom, func(from corev1.EnvFromSource) bool {
				return from.ConfigMapRef != nil && from.ConfigMapRef.Name == shared
			})
			ofSecret := slices.ContainsFunc(container.Env, func(variable corev1.EnvVar) bool {
				return variable.Name == "LIMITS_URL" && variable.ValueFrom != nil && *variable.ValueFrom.SecretKeyRef.Optional
			})
			if !ofConfig || !ofSecret {
				t.Errorf("%s does not read LIMITS_URL", owner)
			}
		}
	}
	if counting < 4 {
		t.Errorf("only %d workloads were found", counting)
	}
}

// TestStandbyIsAsThePrimary: the two exchange their parts in a failover, so they differ in nothing
// but names, and only the first begins a new database.
func TestStandbyIsAsThePrimary(t *testing.T) {
	manifests := load(t)
	primary := objectNamed[*appsv1.StatefulSet](t, manifests, "postgres")
	standby := objectNamed[*appsv1.StatefulSet](t, manifests, "postgres-standby")
	encode := func(set *appsv1.StatefulSet, names ...string) string {
		content, err := json.Marshal(set.Spec)
		if err != nil {
			t.Fatal(err)
		}
		return strings.NewReplacer(names...).Replace(string(content))
	}
	got := encode(standby)
	want := encode(primary,
		`"app":"postgres"`, `"app":"postgres-standby"`,
		`"name":"BEGIN","value":"yes"`, `"name":"BEGIN","value":"no"`,
		`"name":"SLOT","value":"postgres"`, `"name":"SLOT","value":"standby"`, `primary_slot_name=postgres`, `primary_slot_name=standby`)
	// The two are kept apart from each other.
	got = strings.Replace(got, `"labelSelector":{"matchLabels":{"app":"postgres"}}`, `"labelSelector":{}`, 1)
	want = strings.Replace(want, `"labelSelector":{"matchLabels":{"app":"postgres-standby"}}`, `"labelSelector":{}`, 1)
	if got != want {
		t.Errorf("the standby is\n%s\ninstead of\n%s", got, want)
	}
	service := objectNamed[*corev1.Service](t, manifests, "postgres")
	if service.Spec.Selector["app"] != "postgres" {
		t.Errorf("the primary of a new installation is %v", service.Spec.Selector)
	}
	if !strings.Contains(objectNamed[*corev1.ConfigMap](t, manifests, "postgres").Data["pg_hba.conf"], "host replication litfass") {
		t.Error("the primary lets no standby follow it")
	}
}
