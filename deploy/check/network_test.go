package check

import (
	"maps"
	"net/netip"
	"regexp"
	"slices"
	"strconv"
	"testing"

	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
)

// policies returns all network policies.
func (c *cluster) policies() []*networkingv1.NetworkPolicy {
	var found []*networkingv1.NetworkPolicy
	for _, object := range c.objects {
		if policy, ok := object.(*networkingv1.NetworkPolicy); ok {
			found = append(found, policy)
		}
	}
	return found
}

// listens reports whether a pod has a container that listens on a port.
func listens(pod corev1.PodTemplateSpec, port int32) bool {
	return slices.ContainsFunc(pod.Spec.Containers, func(container corev1.Container) bool {
		return slices.ContainsFunc(container.Ports, func(p corev1.ContainerPort) bool { return p.ContainerPort == port })
	})
}

// TestPoliciesNamePortsThatExist: each port of a policy is one that a pod which it speaks of
// listens on, and each peer is a pod.
func TestPoliciesNamePortsThatExist(t *testing.T) {
	manifests := load(t)
	for _, policy := range manifests.policies() {
		for _, rule := range policy.Spec.Ingress {
			checkRule(t, &manifests, policy.Name, rule.From, nil)
			own := networkingv1.NetworkPolicyPeer{PodSelector: &policy.Spec.PodSelector}
			checkRule(t, &manifests, policy.Name, []networkingv1.NetworkPolicyPeer{own}, rule.Ports)
		}
		for _, rule := range policy.Spec.Egress {
			checkRule(t, &manifests, policy.Name, rule.To, rule.Ports)
		}
	}
}

// checkRule expects that each peer within the namespace is a pod, and one of them listens on each
// port.
func checkRule(
	t *testing.T, manifests *cluster, name string, peers []networkingv1.NetworkPolicyPeer, ports []networkingv1.NetworkPolicyPort,
) {
	t.Helper()
	for _, peer := range peers {
		if peer.PodSelector == nil {
			continue
		}
		var found []corev1.PodTemplateSpec
		for _, pod := range manifests.pods {
			if chooses(t, peer.PodSelector, pod.Labels) {
				found = append(found, pod)
			}
		}
		if len(found) == 0 {
			t.Errorf("NetworkPolicy %s names no pod: %v", name, peer.PodSelector)
		}
		for _, port := range ports {
			number := port.Port.IntVal
			if !slices.ContainsFunc(found, func(pod corev1.PodTemplateSpec) bool { return listens(pod, number) }) {
				t.Errorf("NetworkPolicy %s: no pod listens on %d", name, number)
			}
		}
	}
}

// connection is the address of a service in a variable: nats://nats:4222.
var connection = regexp.MustCompile(`[/@]([a-z][a-z0-9-]*):([0-9]+)`)

// TestPoliciesAllowEachConnection: what the variables of a pod connect to, it may leave for, and
// the other side admits it.
func TestPoliciesAllowEachConnection(t *testing.T) {
	manifests := load(t)
	services, shared := map[string]map[string]string{}, map[string]map[string]string{}
	for _, object := range manifests.objects {
		switch object := object.(type) {
		case *corev1.Service:
			services[object.Name] = object.Spec.Selector
		case *corev1.ConfigMap:
			shared[object.Name] = object.Data
		}
	}
	tried := 0
	for owner, pod := range manifests.pods {
		for _, value := range variablesOf(pod, shared) {
			for _, match := range connection.FindAllStringSubmatch(value, -1) {
				port, err := strconv.ParseInt(match[2], 10, 32)
				target, known := services[match[1]]
				if err != nil || !known {
					continue
				}
				tried++
				if !manifests.leaves(t, pod.Labels, target, int32(port)) {
					t.Errorf("%s may not leave for %s:%d", owner, match[1], port)
				}
				if !manifests.admits(t, target, pod.Labels, int32(port)) {
					t.Errorf("%s:%d does not admit %s", match[1], port, owner)
				}
			}
		}
	}
	if tried < 5 {
		t.Errorf("only %d connections were found", tried)
	}
}

// variablesOf returns the values of all variables of a pod. shared maps each ConfigMap to its
// variables.
func variablesOf(pod corev1.PodTemplateSpec, shared map[string]map[string]string) []string {
	var values []string
	for _, container := range slices.Concat(pod.Spec.InitContainers, pod.Spec.Containers) {
		for _, variable := range container.Env {
			values = append(values, variable.Value)
		}
		for _, from := range container.EnvFrom {
			if from.ConfigMapRef != nil {
				values = slices.AppendSeq(values, maps.Values(shared[from.ConfigMapRef.Name]))
			}
		}
	}
	return values
}

func (c *cluster) leaves(t *testing.T, from, to map[string]string, port int32) bool {
	t.Helper()
	return slices.ContainsFunc(c.policies(), func(policy *networkingv1.NetworkPolicy) bool {
		return chooses(t, &policy.Spec.PodSelector, from) &&
			slices.ContainsFunc(policy.Spec.Egress, func(rule networkingv1.NetworkPolicyEgressRule) bool {
				return names(t, rule.To, rule.Ports, to, port)
			})
	})
}

func (c *cluster) admits(t *testing.T, to, from map[string]string, port int32) bool {
	t.Helper()
	return slices.ContainsFunc(c.policies(), func(policy *networkingv1.NetworkPolicy) bool {
		return chooses(t, &policy.Spec.PodSelector, to) &&
			slices.ContainsFunc(policy.Spec.Ingress, func(rule networkingv1.NetworkPolicyIngressRule) bool {
				return names(t, rule.From, rule.Ports, from, port)
			})
	})
}

// names reports whether a rule speaks of a pod with these labels and of a port.
func names(
	t *testing.T, peers []networkingv1.NetworkPolicyPeer, ports []networkingv1.NetworkPolicyPort, of map[string]string, port int32,
) bool {
	t.Helper()
	return slices.ContainsFunc(peers, func(peer networkingv1.NetworkPolicyPeer) bool {
		return peer.PodSelector != nil && chooses(t, peer.PodSelector, of)
	}) && slices.ContainsFunc(ports, func(p networkingv1.NetworkPolicyPort) bool { return p.Port.IntVal == port })
}

// TestNoPolicyOpensPrivateNetworks: a policy that opens addresses outside of the cluster opens
// public ones only. So a service that an attacker has taken over, or whose requests an attacker
// chooses the address of, does not reach the operator's own machines.
func TestNoPolicyOpensPrivateNetworks(t *testing.T) {
	private := []string{"10.1.2.3", "100.64.1.2", "169.254.169.254", "172.16.1.2", "192.168.1.2", "fd00::1", "fe80::1"}
	manifests, blocks := load(t), 0
	for _, policy := range manifests.policies() {
		for _, rule := range policy.Spec.Egress {
			for _, peer := range rule.To {
				if peer.IPBlock == nil {
					continue
				}
				blocks++
				for _, address := range private {
					if opens(t, peer.IPBlock, netip.MustParseAddr(address)) {
						t.Errorf("NetworkPolicy %s opens %s", policy.Name, address)
					}
				}
			}
		}
	}
	if blocks == 0 {
		t.Error("no policy opens any address")
	}
}

// opens reports whether a block holds an address that it does not except.
func opens(t *testing.T, block *networkingv1.IPBlock, address netip.Addr) bool {
	t.Helper()
	holds := func(network string) bool {
		prefix, err := netip.ParsePrefix(network)
		if err != nil {
			t.Fatal(err)
		}
		return prefix.Contains(address)
	}
	return holds(block.CIDR) && !slices.ContainsFunc(block.Except, holds)
}
