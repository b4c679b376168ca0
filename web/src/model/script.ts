/** Changes a script line by line, so that comments and the order of lines stay as a person wrote them. `parts` is what the module has read of the very same script. */
import type { ScriptParts } from '../protocol.ts';
import { length } from './time.ts';

function lines(script: string): string[] {
  const lines = script.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

function joined(lines: string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}

/** The script with actions at a time, without those that are later. */
export function withActions(script: string, parts: ScriptParts, at: number, actions: string[]): string {
  return until(script, parts, at) + joined(actions.map((action) => `at ${length(at)}: ${action}`));
}

/** The script without the actions that are later than a time. */
export function until(script: string, { actions }: ScriptParts, at: number): string {
  return without(script, actions.filter((action) => action.at > at));
}

/** The script without the rule or action of a line. */
export function withoutLine(script: string, line: number): string {
  return without(script, [{ line }]);
}

/** The script with a rule before all others, because the first that fits wins. */
export function withRule(script: string, { rules }: ScriptParts, rule: string): string {
  const all = lines(script);
  return joined(all.toSpliced(rules[0] ? rules[0].line - 1 : all.length, 0, rule));
}

/** The script with the lines of a case before all others, in place of those of other cases. */
export function withCase(script: string, chosen: string, others: string[]): string {
  const gone = new Set(others.flatMap(lines));
  return chosen + joined(lines(script).filter((line) => !gone.has(line)));
}

/** The script with another text on a line. */
export function withLineChanged(script: string, line: number, text: string): string {
  return joined(lines(script).map((known, place) => (place + 1 === line ? text : known)));
}

/** The script with the rule of a line one place further up among the rules; the first has nowhere to go. */
export function withRuleRaised(script: string, { rules }: ScriptParts, here: number): string {
  const above = rules[rules.findIndex((rule) => rule.line === here) - 1]?.line;
  if (above === undefined) return script;
  const all = lines(script);
  return joined(all.map((line, place) => (place + 1 === above ? (all[here - 1] ?? line) : place + 1 === here ? (all[above - 1] ?? line) : line)));
}

/** Another text with the lines removed and added that one script has fewer and more than the one before it. */
export function carried(text: string, before: string, after: string): string {
  const [old, now, other] = [lines(before), lines(after), lines(text)];
  const kept = other.filter((line) => now.includes(line) || !old.includes(line));
  return joined([...kept, ...now.filter((line) => !old.includes(line) && !other.includes(line))]);
}

function without(script: string, gone: { line: number }[]): string {
  return joined(lines(script).filter((_, place) => !gone.some(({ line }) => line === place + 1)));
}
