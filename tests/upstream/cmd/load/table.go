package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// table holds every controller against the first one, case by case.
type table struct{ sections []section }

type section struct {
	title   string
	results []result
}

// measure is a row of a case.
type measure struct {
	name, format string
	of           func(result) float64
}

var ofLoad = []measure{
	{"CPU", "%.2f s", func(r result) float64 { return r.CPUSeconds }},
	{"CPU per pod", "%.2f ms", func(r result) float64 { return 1000 * perPod(r, r.CPUSeconds) }},
	{"peak memory", "%.1f MiB", func(r result) float64 { return r.PeakMiB }},
	{"requests per pod", "%.2f", func(r result) float64 { return perPod(r, float64(r.Requests)) }},
	{"wall time", "%.1f s", func(r result) float64 { return r.WallSeconds }},
}

var ofCron = []measure{
	{"CPU", "%.2f s", func(r result) float64 { return r.CPUSeconds }},
	{"CPU per run", "%.2f ms", func(r result) float64 { return 1000 * perRun(r, r.CPUSeconds) }},
	{"peak memory", "%.1f MiB", func(r result) float64 { return r.PeakMiB }},
	{"requests per run", "%.2f", func(r result) float64 { return perRun(r, float64(r.Requests)) }},
	{"start late, median", "%.2f s", func(r result) float64 { return r.MedianLate }},
	{"start late, 99th percentile", "%.2f s", func(r result) float64 { return r.HighLate }},
}

var ofIdle = []measure{
	{"CPU to start", "%.2f s", func(r result) float64 { return r.StartSeconds }},
	{"CPU afterwards", "%.2f s", func(r result) float64 { return r.CPUSeconds }},
	{"peak memory", "%.1f MiB", func(r result) float64 { return r.PeakMiB }},
	{"memory at the end", "%.1f MiB", func(r result) float64 { return r.MiB }},
	{"requests afterwards", "%.0f", func(r result) float64 { return float64(r.Requests) }},
}

func perRun(r result, of float64) float64 { return of / float64(max(r.Runs, 1)) }

func perPod(r result, of float64) float64 { return of / float64(max(r.Pods, 1)) }

func (t *table) add(title string, results []result) {
	t.sections = append(t.sections, section{title, results})
}

// print writes the table in Markdown.
func (t *table) print() {
	commands := t.commands()
	head, rule := "| |", "|---|"
	for i, command := range commands {
		words := strings.Fields(command)
		head += fmt.Sprintf(" `%s` |", strings.Join(append([]string{filepath.Base(words[0])}, words[1:]...), " "))
		rule += "---:|"
		if i > 0 {
			head += " ratio |"
			rule += "---:|"
		}
	}
	fmt.Println(head)
	fmt.Println(rule)
	for _, s := range t.sections {
		fmt.Printf("| **%s** |%s\n", s.title, strings.Repeat(" |", max(2*len(commands)-1, 1)))
		measures := ofLoad
		switch s.results[0].Case {
		case "idle":
			measures = ofIdle
		case "cron":
			measures = ofCron
		}
		for _, m := range measures {
			s.row(m, commands)
		}
	}
}

func (t *table) commands() (commands []string) {
	for _, s := range t.sections {
		for _, r := range s.results {
			if !slices.Contains(commands, r.Controller) {
				commands = append(commands, r.Controller)
			}
		}
	}
	return commands
}

func (s section) row(m measure, commands []string) {
	row, first := "| "+m.name+" |", 0.0
	for i, command := range commands {
		value, gaveUp := s.median(m, command)
		cell := fmt.Sprintf(m.format, value)
		if gaveUp {
			cell += ", given up"
		}
		row += " " + cell + " |"
		switch {
		case i == 0:
			first = value
		case first > 0:
			row += fmt.Sprintf(" %.2f |", value/first)
		default:
			row += " |"
		}
	}
	fmt.Println(row)
}

// median is that of all rounds, and whether a controller was given up in one of them.
func (s section) median(m measure, command string) (value float64, gaveUp bool) {
	var values []float64
	for _, r := range s.results {
		if r.Controller == command {
			values = append(values, m.of(r))
			gaveUp = gaveUp || r.GaveUp
		}
	}
	slices.Sort(values)
	return (values[(len(values)-1)/2] + values[len(values)/2]) / 2, gaveUp
}
