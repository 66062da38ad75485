package check

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/util/yaml"
)

// cluster is the content of all manifests.
type cluster struct {
	objects []runtime.Object
	pods    map[string]corev1.PodTemplateSpec // by the name of their owner
}

// load decodes every manifest into the types of the Kubernetes API and refuses unknown fields, as
// the API server does.
func load(t *testing.T) cluster {
	t.Helper()
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{
		appsv1.AddToScheme, autoscalingv2.AddToScheme, batchv1.AddToScheme, corev1.AddToScheme, networkingv1.AddToScheme, policyv1.AddToScheme,
	} {
		if err := add(scheme); err != nil {
			t.Fatal(err)
		}
	}
	decoder := serializer.NewCodecFactory(scheme, serializer.EnableStrict).UniversalDeserializer()
	paths, err := filepath.Glob("../kubernetes/*.yaml")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no manifests: %v", err)
	}
	loaded := cluster{pods: map[string]corev1.PodTemplateSpec{}}
	for _, path := range paths {
		for _, document := range documents(t, path) {
			object, _, err := decoder.Decode(document, nil, nil)
			if err != nil {
				t.Errorf("%s: %v", path, err)
				continue
			}
			loaded.add(object)
		}
	}
	return loaded
}

func documents(t *testing.T, path string) [][]byte {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var found [][]byte
	reader := yaml.NewDocumentDecoder(io.NopCloser(bytes.NewReader(content)))
	buffer := make([]byte, len(content)+1)
	for {
		n, err := reader.Read(buffer)
		if errors.Is(err, io.EOF) {
			return found
		}
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		found = append(found, bytes.Clone(buffer[:n]))
	}
}

func (c *cluster) add(object runtime.Object) {
	c.objects = append(c.objects, object)
	switch object := object.(type) {
	case *appsv1.Deployment:
		c.pods[object.Name] = object.Spec.Template
	case *appsv1.StatefulSet:
		c.pods[object.Name] = object.Spec.Template
	case *batchv1.CronJob:
		c.pods[object.Name] = object.Spec.JobTemplate.Spec.Template
	}
}

// matches counts the pod templates that a selector finds.
func (c *cluster) matches(selector labels.Selector) int {
	count := 0
	for _, pod := range c.pods {
		if selector.Matches(labels.Set(pod.Labels)) {
			count++
		}
	}
	return count
}

func TestSelectorsFindPods(t *testing.T) {
	manifests := load(t)
	expect := func(kind, name string, selector labels.Selector) {
		t.Helper()
		if manifests.matches(selector) == 0 {
			t.Errorf("%s %s selects no pod: %s", kind, name, selector)
		}
	}
	structured := func(selector *metav1.LabelSelector) labels.Selector {
		parsed, err := metav1.LabelSelectorAsSelector(selector)
		if err != nil {
			t.Fatal(err)
		}
		return parsed
	}
	for _, object := range manifests.objects {
		switch object := object.(type) {
		case *corev1.Service:
			expect("Service", object.Name, labels.SelectorFromSet(object.Spec.Selector))
		case *appsv1.Deployment:
			expect("Deployment", object.Name, structured(object.Spec.Selector))
		case *appsv1.StatefulSet:
			expect("StatefulSet", object.Name, structured(object.Spec.Selector))
		case *policyv1.PodDisruptionBudget:
			expect("PodDisruptionBudget", object.Name, structured(object.Spec.Selector))
		case *networkingv1.NetworkPolicy:
			expect("NetworkPolicy", object.Name, structured(&object.Spec.PodSelector))
		}
	}
}

func TestContainersAreBounded(t *testing.T) {
	for owner, pod := range load(t).pods {
		if security := pod.Spec.SecurityContext; security == nil || security.RunAsNonRoot == nil || !*security.RunAsNonRoot {
			t.Errorf("%s may run as root", owner)
		}
		for _, container := range append(pod.Spec.InitContainers, pod.Spec.Containers...) {
			name := owner + "/" + container.Name
			if container.Resources.Limits.Memory().IsZero() || container.Resources.Requests.Cpu().IsZero() {
				t.Errorf("%s has no bounds", name)
			}
			if security := container.SecurityContext; security == nil || security.AllowPrivilegeEscalation == nil || *security.AllowPrivilegeEscalation {
				t.Errorf("%s may gain rights", name)
			}
			if _, tag, found := strings.Cut(container.Image, ":"); !found || tag == "latest" {
				t.Errorf("%s runs no particular version: %s", name, container.Image)
			}
		}
		if seccomp := pod.Spec.SecurityContext.SeccompProfile; seccomp == nil || seccomp.Type != corev1.SeccompProfileTypeRuntimeDefault {
			t.Errorf("%s has no seccomp profile", owner)
		}
		for _, container := range pod.Spec.Containers {
			running := pod.Spec.RestartPolicy != corev1.RestartPolicyNever
			if running && (container.LivenessProbe == nil || container.StartupProbe == nil) {
				t.Errorf("%s/%s has no probes", owner, container.Name)
			}
		}
	}
}

func TestVariablesAreRead(t *testing.T) {
	manifests := load(t)
	shared := map[string]string{}
	for _, object := range manifests.objects {
		if config, ok := object.(*corev1.ConfigMap); ok && config.Name == "litfass" {
			shared = config.Data
		}
	}
	query, admin := variables(t, "query"), variables(t, "admin")
	for name := range shared {
		_, queryReads := query[name]
		if _, adminReads := admin[name]; !queryReads && !adminReads {
			t.Errorf("no service reads %s of the ConfigMap", name)
		}
	}
	for _, pod := range manifests.pods {
		for _, container := range append(pod.Spec.InitContainers, pod.Spec.Containers...) {
			checkContainer(t, container)
		}
	}
}

// checkContainer checks the variables of one of Litfass's own containers, and that secrets come
// from the secret.
func checkContainer(t *testing.T, container corev1.Container) {
	t.Helper()
	image, own := strings.CutPrefix(container.Image, "litfass/")
	service, _, _ := strings.Cut(image, ":")
	var names []string
	for _, variable := range container.Env {
		if variable.Name != "POSTGRES_PASSWORD" { // part of DATABASE_URL
			names = append(names, variable.Name)
		}
		secret := strings.Contains(variable.Name, "KEY") || strings.Contains(variable.Name, "PASSWORD") ||
			strings.Contains(variable.Name, "SECRET")
		if secret && (variable.ValueFrom == nil || variable.ValueFrom.SecretKeyRef == nil) {
			t.Errorf("%s: %s stands in the manifest", container.Name, variable.Name)
		}
	}
	if own {
		checkVariables(t, service, names)
	}
}
