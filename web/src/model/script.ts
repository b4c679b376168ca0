/** Changes a script line by line, so that comments and the order of lines stay as a person wrote them. */
import type { ScriptParts } from '../protocol.ts';
import { length } from './time.ts';

/** A line of a script, by what it is. */
interface Line {
  text: string;
  kind: 'rule' | 'action' | 'other';
}

function lines(script: string): Line[] {
  const texts = script.split('\n');
  if (texts.at(-1) === '') texts.pop();
  return texts.map((text) => {
    const said = text.trim();
    if (said === '' || said.startsWith('#')) return { text, kind: 'other' };
    return { text, kind: /^at\s+[\d]/.test(said) ? 'action' : 'rule' };
  });
}

function joined(texts: string[]): string {
  return texts.map((text) => `${text}\n`).join('');
}

/** The script with actions at a time; actions that are later, as `parts` says, are left out. */
export function withActions(script: string, parts: ScriptParts, at: number, actions: string[]): string {
  return until(script, parts, at) + joined(actions.map((action) => `at ${length(at)}: ${action}`));
}

/** The script without the actions that are later than a time. */
export function until(script: string, parts: ScriptParts, at: number): string {
  let place = 0;
  const kept = lines(script).filter((line) => line.kind !== 'action' || (parts.actions[place++]?.at ?? 0) <= at);
  return joined(kept.map((line) => line.text));
}

/** The script without one of its actions, by its place among them. */
export function withoutAction(script: string, action: number): string {
  return without(script, 'action', action);
}

/** The script without one of its rules, by its place among them. */
export function withoutRule(script: string, rule: number): string {
  return without(script, 'rule', rule);
}

/** The script with a rule before all others, because the first that fits wins. */
export function withRule(script: string, rule: string): string {
  const all = lines(script);
  const first = all.findIndex((line) => line.kind === 'rule');
  const place = first < 0 ? all.length : first;
  return joined([...all.slice(0, place).map((line) => line.text), rule, ...all.slice(place).map((line) => line.text)]);
}

/** The script with another text for one of its rules. */
export function withRuleChanged(script: string, rule: number, text: string): string {
  let place = 0;
  return joined(lines(script).map((line) => (line.kind === 'rule' && place++ === rule ? text : line.text)));
}

/** The script with a rule one place further up; the first has nowhere to go. */
export function withRuleRaised(script: string, rule: number): string {
  const all = lines(script);
  const places = all.flatMap((line, place) => (line.kind === 'rule' ? [place] : []));
  const [above, here] = [places[rule - 1], places[rule]];
  const [upper, lower] = [above === undefined ? undefined : all[above], here === undefined ? undefined : all[here]];
  if (above === undefined || here === undefined || !upper || !lower) return script;
  all[above] = lower;
  all[here] = upper;
  return joined(all.map((line) => line.text));
}

function without(script: string, kind: Line['kind'], which: number): string {
  let place = 0;
  return joined(lines(script).filter((line) => line.kind !== kind || place++ !== which).map((line) => line.text));
}
