package check

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"litfass/deploy/natsusers"
)

// TestServicesHaveTheirUserOfNATS: in Compose and in Kubernetes a service has the user of its name,
// with the password that the server has for that user.
func TestServicesHaveTheirUserOfNATS(t *testing.T) {
	all := maps.Clone(secrets)
	maps.Copy(all, passwords)
	project, err := composeProject(t, all)
	if err != nil {
		t.Fatal(err)
	}
	for _, user := range []string{natsusers.Admin, natsusers.Projector, natsusers.Query} {
		environment, server := project.Services[user].Environment, project.Services["nats"].Environment
		if name := environment["NATS_USER"]; name == nil || *name != user {
			t.Errorf("compose.yaml: %s has the user %v", user, name)
		}
		own, known := environment["NATS_PASSWORD"], server[natsusers.Variable(user)]
		if own == nil || known == nil || *own != *known || *own != passwords[natsusers.Variable(user)] {
			t.Errorf("compose.yaml: %s and the server have different passwords", user)
		}
	}
	tried := 0
	for owner, pod := range load(t).pods {
		for _, container := range slices.Concat(pod.Spec.InitContainers, pod.Spec.Containers) {
			image, own := strings.CutPrefix(container.Image, "litfass/")
			service, _, _ := strings.Cut(image, ":")
			connects := slices.ContainsFunc(container.EnvFrom, func(from corev1.EnvFromSource) bool {
				return from.ConfigMapRef != nil && from.ConfigMapRef.Name == "litfass" // which has NATS_URL
			})
			if !own || !connects || !slices.Contains(natsusers.All, service) {
				continue
			}
			tried++
			if name, key := kubernetesUser(container); name != service || key != natsusers.Variable(service) {
				t.Errorf("%s/%s has the user %q with the password %q", owner, container.Name, name, key)
			}
		}
	}
	if tried < 4 {
		t.Errorf("only %d containers connect to NATS", tried)
	}
}

// kubernetesUser returns the user of a container, and the key of the secret with its password.
func kubernetesUser(container corev1.Container) (name, key string) {
	for _, variable := range container.Env {
		switch {
		case variable.Name == "NATS_USER":
			name = variable.Value
		case variable.Name == "NATS_PASSWORD" && variable.ValueFrom != nil:
			key = variable.ValueFrom.SecretKeyRef.Key
		}
	}
	return name, key
}

// TestServerHasUsersOncePasswordsExist runs the commands that start NATS in Compose and in
// Kubernetes: an environment of an earlier release, without passwords, starts it as that did, and a
// single password is enough to start it with users.
func TestServerHasUsersOncePasswordsExist(t *testing.T) {
	project, err := composeProject(t, secrets)
	if err != nil {
		t.Fatal(err)
	}
	commands := map[string][]string{"compose.yaml": project.Services["nats"].Entrypoint}
	for _, container := range load(t).pods["nats"].Spec.Containers {
		commands["nats.yaml"] = container.Command
	}
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "nats-server"), []byte("#!/bin/sh\necho \"$@\"\n"), 0o700); err != nil { //nolint:gosec // a program
		t.Fatal(err)
	}
	for file, command := range commands {
		tried := map[string]string{"": "-c /etc/nats/nats.conf"}
		for _, user := range natsusers.All {
			tried[natsusers.Variable(user)+"=p"] = "-c /etc/nats/nats-users.conf"
		}
		for variable, want := range tried {
			started := exec.CommandContext(t.Context(), command[0], command[1:]...)
			started.Env = []string{"PATH=" + folder + ":/bin:/usr/bin", variable}
			if said, err := started.CombinedOutput(); err != nil || strings.TrimSpace(string(said)) != want {
				t.Errorf("%s with %q starts %q, %v, want %q", file, variable, said, err, want)
			}
		}
	}
}

// TestSecretsHavePasswordsOfNATS: the passwords that secrets.sh makes are no numbers to the server.
func TestSecretsHavePasswordsOfNATS(t *testing.T) {
	made, err := exec.CommandContext(t.Context(), "sh", "../compose/secrets.sh").Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, user := range natsusers.All {
		if !regexp.MustCompile(`(?m)^` + natsusers.Variable(user) + `=p[0-9a-f]{48}$`).Match(made) {
			t.Errorf("secrets.sh prints no password of %s", user)
		}
	}
}

// TestOneVersionOfNATS: Compose, Kubernetes and the local stack run the same server.
func TestOneVersionOfNATS(t *testing.T) {
	pins, err := os.ReadFile("../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	pinned := regexp.MustCompile(`nats-server/v2 v(\S+)`).FindSubmatch(pins)
	if pinned == nil {
		t.Fatal("go.mod pins no nats-server")
	}
	for _, path := range []string{"../compose.yaml", "../kubernetes/nats.yaml"} {
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		images := regexp.MustCompile(`image: nats:(\S+)-alpine`).FindAllSubmatch(content, -1)
		if len(images) != 1 || string(images[0][1]) != string(pinned[1]) {
			t.Errorf("%s runs NATS %q, go.mod pins %s", path, images, pinned[1])
		}
	}
}
