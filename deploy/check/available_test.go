package check

import (
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
)

// TestSeveralPodsStayAvailable: what runs in several pods is spread over the nodes and keeps all
// but one of them during maintenance, and the query services grow with their load.
func TestSeveralPodsStayAvailable(t *testing.T) {
	manifests := load(t)
	scaled := map[string]bool{}
	for _, object := range manifests.objects {
		if scaler, ok := object.(*autoscalingv2.HorizontalPodAutoscaler); ok {
			checkScaler(t, &manifests, scaler)
			scaled[scaler.Spec.ScaleTargetRef.Name] = true
		}
	}
	if len(scaled) == 0 {
		t.Error("nothing is scaled")
	}
	for _, object := range manifests.objects {
		switch object := object.(type) {
		case *appsv1.Deployment:
			if !scaled[object.Name] && (object.Spec.Replicas == nil || *object.Spec.Replicas < 2) {
				t.Errorf("%s runs once", object.Name)
			}
			checkAvailable(t, &manifests, object.Name)
		case *appsv1.StatefulSet:
			if *object.Spec.Replicas > 1 {
				checkAvailable(t, &manifests, object.Name)
			}
		}
	}
}

func checkScaler(t *testing.T, manifests *cluster, scaler *autoscalingv2.HorizontalPodAutoscaler) {
	t.Helper()
	if minimum := scaler.Spec.MinReplicas; minimum == nil || *minimum < 2 || scaler.Spec.MaxReplicas <= *minimum {
		t.Errorf("%s does not scale from two pods on", scaler.Name)
	}
	if _, found := manifests.pods[scaler.Spec.ScaleTargetRef.Name]; !found {
		t.Errorf("%s scales %s, which is not there", scaler.Name, scaler.Spec.ScaleTargetRef.Name)
	}
}

// checkAvailable expects a disruption budget and a spread for the pods of an owner.
func checkAvailable(t *testing.T, manifests *cluster, owner string) {
	t.Helper()
	pod := manifests.pods[owner]
	budgets := 0
	for _, object := range manifests.objects {
		budget, ok := object.(*policyv1.PodDisruptionBudget)
		if ok && budget.Spec.MaxUnavailable.IntValue() == 1 && chooses(t, budget.Spec.Selector, pod.Labels) {
			budgets++
		}
	}
	if budgets != 1 {
		t.Errorf("%s has %d disruption budgets", owner, budgets)
	}
	spread := false
	for _, constraint := range pod.Spec.TopologySpreadConstraints {
		spread = spread || constraint.TopologyKey == "kubernetes.io/hostname" && chooses(t, constraint.LabelSelector, pod.Labels)
	}
	if !spread {
		t.Errorf("%s is not spread over the nodes", owner)
	}
}

// chooses reports whether a selector finds pods with these labels.
func chooses(t *testing.T, selector *metav1.LabelSelector, of map[string]string) bool {
	t.Helper()
	parsed, err := metav1.LabelSelectorAsSelector(selector)
	if err != nil {
		t.Fatal(err)
	}
	return parsed.Matches(labels.Set(of))
}
