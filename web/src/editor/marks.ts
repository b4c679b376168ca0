/** Marks in the editor: what is wrong with the text, and advice, each with its fix and the way to the page of its rule. */
import { isolateHistory } from '@codemirror/commands';
import { type Diagnostic as Mark, forEachDiagnostic, lintGutter, setDiagnostics } from '@codemirror/lint';
import type { Text } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';

import { faulty } from '../model/words.ts';
import type { Diagnostic, Repair, TextChange } from '../protocol.ts';
import { showRule } from '../state/shownRule.ts';

/** What can be marked, and fixed. */
export interface Marks {
  /** Marks what is wrong with the text, in place of what was. */
  setProblems(problems: Diagnostic[]): void;
  /** Marks advice on the text, in place of what was. */
  setAdvice(advice: Diagnostic[]): void;
  /** Makes the changes of a repair, unless the text has changed since the problem was found. */
  repair(repair: Repair): void;
}

/** Beside the lines, what is only worth knowing is not marked: hardly a manifest is without it. */
export const markGutter = lintGutter({ markerFilter: (found) => found.filter(({ severity }) => severity !== 'info') });

/** What marks are: what is wrong, and advice. */
const [PROBLEM, ADVICE] = ['cm-problem', 'cm-advice'] as const;

/** Marks what is found in the text of an editor. */
export function createMarks(view: EditorView): Marks {
  /** The texts that repairs were found in. */
  const repaired = new WeakMap<Repair, Text>();
  function repair(wanted: Repair): void {
    if (repaired.get(wanted)?.eq(view.state.doc)) makeChanges(view, wanted.changes);
  }
  function marked(problem: Diagnostic): Mark {
    const { repair: wanted } = problem;
    if (wanted) repaired.set(wanted, view.state.doc);
    return { ...placeOf(view.state.doc, problem), severity: problem.severity, message: faulty(problem), renderMessage: () => rendered(problem), actions: wanted ? [{ name: wanted.label, apply: () => repair(wanted) }] : [] };
  }
  /** Replaces the marks of one kind of findings. Those of the other kind were moved with the text since they were found. */
  function mark(kind: typeof PROBLEM | typeof ADVICE, found: Diagnostic[]): void {
    const [others, outdated]: [Mark[], Mark[]] = [[], []];
    forEachDiagnostic(view.state, (one, from, to) => (one.markClass === kind ? outdated : others).push({ ...one, from, to }));
    if (found.length === 0 && outdated.length === 0) return;
    view.dispatch(setDiagnostics(view.state, [...others, ...found.map((one) => ({ ...marked(one), markClass: kind }))]));
  }

  return { setProblems: (problems) => mark(PROBLEM, problems), setAdvice: (advice) => mark(ADVICE, advice), repair };
}

/** Makes the changes of a repair, and puts the cursor where a person goes on. */
function makeChanges(view: EditorView, changes: TextChange[]): void {
  const prepared = view.state.changes(changes);
  const last = changes.reduce((end, { to }) => Math.max(end, to), 0);
  const put = changes.find(({ insert }) => insert !== '');
  const cursor = put ? prepared.mapPos(put.to, 1) - (put.insert.endsWith('\n') ? 1 : 0) : prepared.mapPos(last, -1);
  view.dispatch({ changes: prepared, selection: { anchor: cursor }, scrollIntoView: true, annotations: isolateHistory.of('full') });
  view.focus();
}

/** How bad problems are, from the worst on. */
const SEVERITIES = ['error', 'warning', 'info'];

/** Repairs the worst problem of the line of the cursor that has a repair, and of several the first. */
export function repairLine(view: EditorView): boolean {
  const line = view.state.doc.lineAt(view.state.selection.main.head);
  const found: Mark[] = [];
  forEachDiagnostic(view.state, (one, from, to) => one.actions?.length && to >= line.from && from <= line.to && found.push({ ...one, from, to }));
  const [worst] = found.sort((one, other) => SEVERITIES.indexOf(one.severity) - SEVERITIES.indexOf(other.severity));
  worst?.actions?.[0]?.apply(view, worst.from, worst.to);
  return worst !== undefined;
}

/** The place of a problem in a text. */
export function placeOf(doc: Text, problem: Diagnostic): { from: number; to: number } {
  const line = doc.line(Math.max(1, Math.min(problem.line, doc.lines)));
  const from = Math.min(line.to, line.from + Math.max(0, problem.column - 1));
  // What has no length of its own is marked up to the end of its line.
  const to = problem.length > 0 ? Math.min(line.to, from + problem.length) : line.to;
  return { from, to };
}

/** A problem in the hint over its mark: what is wrong, what to do, and the way to the page of its rule. */
function rendered(problem: Diagnostic): Node {
  const hint = document.createElement('span');
  const line = (text: string, style: string): void => {
    const shown = hint.appendChild(Object.assign(document.createElement('div'), { className: style }));
    for (const [place, part] of text.split('`').entries()) shown.append(place % 2 === 1 ? Object.assign(document.createElement('code'), { textContent: part }) : part);
  };
  line(faulty(problem), '');
  if (problem.remedy) line(problem.remedy, 'muted');
  const { rule, severity } = problem;
  if (rule !== undefined) hint.append(Object.assign(document.createElement('button'), { type: 'button', className: 'link', textContent: rule, title: 'What this rule reports, and why', onclick: () => showRule({ rule, severity }) }));
  return hint;
}
