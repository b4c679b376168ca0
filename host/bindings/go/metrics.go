// Metrics in Prometheus' text format.
//
// Docs: Prometheus, "Exposition formats".

package controllers

import (
	"fmt"
	"io"
	"strconv"
	"strings"
)

var (
	escapeHelp  = strings.NewReplacer(`\`, `\\`, "\n", `\n`)
	escapeLabel = strings.NewReplacer(`\`, `\\`, "\n", `\n`, `"`, `\"`)
)

// WriteMetrics writes metrics in Prometheus' text format.
func WriteMetrics(writer io.Writer, families []Family) error {
	var text strings.Builder
	for _, family := range families {
		if len(family.Samples) == 0 {
			continue
		}
		fmt.Fprintf(&text, "# HELP %s %s\n# TYPE %s %s\n", family.Name, escapeHelp.Replace(family.Help), family.Name, Contract.VariantCase(family.Samples[0].Value))
		for _, sample := range family.Samples {
			writeSample(&text, family.Name, sample)
		}
	}
	_, err := io.WriteString(writer, text.String())
	return err
}

func writeSample(text *strings.Builder, name string, sample Sample) {
	labels := labelled(sample.Labels)
	histogram, ok := sample.Value.(MeasureHistogram)
	if !ok {
		fmt.Fprintf(text, "%s%s %d\n", name, labels, sample.Value)
		return
	}
	for _, bucket := range histogram.Buckets {
		bound := Tuple2[string, string]{"le", strconv.FormatFloat(bucket.F0, 'g', -1, 64)}
		fmt.Fprintf(text, "%s_bucket%s %d\n", name, labelled(sample.Labels, bound), bucket.F1)
	}
	fmt.Fprintf(text, "%s_bucket%s %d\n", name, labelled(sample.Labels, Tuple2[string, string]{"le", "+Inf"}), histogram.Count)
	fmt.Fprintf(text, "%s_sum%s %g\n%s_count%s %d\n", name, labels, histogram.Sum, name, labels, histogram.Count)
}

func labelled(labels []Tuple2[string, string], more ...Tuple2[string, string]) string {
	var pairs []string
	for _, label := range append(labels[:len(labels):len(labels)], more...) {
		pairs = append(pairs, fmt.Sprintf(`%s="%s"`, label.F0, escapeLabel.Replace(label.F1)))
	}
	if len(pairs) == 0 {
		return ""
	}
	return "{" + strings.Join(pairs, ",") + "}"
}
