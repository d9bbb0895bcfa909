// Command pod-security checks the manifests on standard input with Kubernetes' own Pod Security admission, at the
// level `restricted`. It prints a line for each refusal, and exits with 1 if there is one.
package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"

	"k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/yaml"

	core "k8s.io/api/core/v1"
	"k8s.io/pod-security-admission/api"
	"k8s.io/pod-security-admission/policy"
)

// object is a manifest that contains a pod or a pod template.
type object struct {
	v1.TypeMeta   `json:",inline"`
	v1.ObjectMeta `json:"metadata"`
	Spec          struct {
		core.PodSpec `json:",inline"`
		Template     *core.PodTemplateSpec `json:"template"`
		JobTemplate  *struct {
			Spec struct {
				Template *core.PodTemplateSpec `json:"template"`
			} `json:"spec"`
		} `json:"jobTemplate"`
	} `json:"spec"`
}

func main() {
	evaluator, err := policy.NewEvaluator(policy.DefaultChecks())
	if err != nil {
		fail(err)
	}
	restricted := api.LevelVersion{Level: api.LevelRestricted, Version: api.LatestVersion()}
	documents := yaml.NewYAMLReader(bufio.NewReader(os.Stdin))
	pods, refused := 0, 0
	for {
		document, err := documents.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			fail(err)
		}
		var found object
		if err := yaml.Unmarshal(document, &found); err != nil {
			fail(fmt.Errorf("%w in %.80s", err, document))
		}
		template := podOf(&found)
		if template == nil {
			continue
		}
		pods++
		result := policy.AggregateCheckResults(evaluator.EvaluatePod(restricted, &template.ObjectMeta, &template.Spec))
		if !result.Allowed {
			refused++
			fmt.Printf("%s %s: %s\n", found.Kind, found.Name, result.ForbiddenDetail())
		}
	}
	fmt.Printf("%d pods, %d refused\n", pods, refused)
	if refused > 0 || pods == 0 {
		os.Exit(1)
	}
}

func podOf(found *object) *core.PodTemplateSpec {
	switch found.Kind {
	case "Pod":
		return &core.PodTemplateSpec{ObjectMeta: found.ObjectMeta, Spec: found.Spec.PodSpec}
	case "Deployment", "StatefulSet", "DaemonSet", "ReplicaSet", "Job":
		return found.Spec.Template
	case "CronJob":
		if found.Spec.JobTemplate != nil {
			return found.Spec.JobTemplate.Spec.Template
		}
	}
	return nil
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "pod-security:", err)
	os.Exit(2)
}
