/** How the editor looks: the page's colours in its text, its marks and its search panel. */
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { EditorState } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

const colours = HighlightStyle.define([
  { tag: [tags.definition(tags.propertyName), tags.propertyName], color: 'var(--key)' },
  { tag: [tags.string, tags.content, tags.special(tags.string)], color: 'var(--value)' },
  { tag: tags.comment, color: 'var(--muted)', fontStyle: 'italic' },
  { tag: [tags.separator, tags.punctuation, tags.squareBracket, tags.brace], color: 'var(--muted)' },
]);

const theme = EditorView.theme({
  '&': { height: '100%', backgroundColor: 'transparent', color: 'var(--text)' },
  '.cm-scroller': { fontFamily: 'var(--mono)', fontSize: '12.5px', lineHeight: '20px' },
  // Text that is scrolled sideways goes under it.
  '.cm-gutters': { backgroundColor: 'var(--surface)', color: 'var(--muted)', border: 'none' },
  '.cm-activeLine': { backgroundColor: 'var(--hover)' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '&.cm-focused': { outline: 'none' },
  '&.cm-focused .cm-selectionBackground, .cm-selectionBackground': { backgroundColor: 'var(--selection) !important' },
  '.cm-shown, .cm-lit': { backgroundColor: 'var(--lit)' },
  '.cm-tooltip': { backgroundColor: 'var(--raised)', color: 'var(--text)', border: '1px solid var(--line)', borderRadius: '4px' },
  '.cm-diagnostic-error': { borderLeftColor: 'var(--failed)' },
  '.cm-diagnostic-warning': { borderLeftColor: 'var(--deleting)' },
  '.cm-diagnostic-info': { borderLeftColor: 'var(--edge)' },
  // What is only worth knowing is marked more quietly than what is likely to be wrong.
  '.cm-lintRange-info': { backgroundImage: 'none', textDecoration: 'underline dotted var(--edge)', textUnderlineOffset: '3px' },
  '.cm-tooltip-lint': { maxWidth: 'min(44em, calc(100vw - 24px))', fontFamily: 'var(--sans)', fontSize: '13px', lineHeight: '18px' },
  '.cm-diagnosticText .link': { display: 'block', minHeight: '24px', fontSize: '12px', color: 'var(--muted)', fontFamily: 'var(--sans)' },
  '.cm-diagnosticAction': { margin: '4px 0 2px', padding: '2px 8px', fontSize: '12px', fontFamily: 'var(--sans)', backgroundColor: 'var(--surface)', color: 'var(--text)', border: '1px solid var(--edge)', borderRadius: '6px' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--mono)', fontSize: '12.5px', maxHeight: '14em' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': { backgroundColor: 'var(--selection)', color: 'var(--text)' },
  '.cm-completionDetail': { color: 'var(--muted)', fontStyle: 'normal' },
  '.cm-field, .cm-tooltip.cm-completionInfo': { padding: '6px 10px', maxWidth: '44em', fontFamily: 'var(--sans)', fontSize: '13px', lineHeight: '18px' },
  '.cm-field p, .cm-completionInfo p': { margin: '0 0 2px' },
  '.cm-field-name': { fontFamily: 'var(--mono)', fontSize: '12px' },
  '.cm-field-fact': { color: 'var(--muted)' },
  '.cm-panels': { backgroundColor: 'var(--surface)', color: 'var(--text)', zIndex: '2' },
  '.cm-panels-top': { borderBottom: '1px solid var(--line)' },
  '.cm-panel.cm-search': { display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: '4px', padding: '6px 36px 6px 12px', fontSize: '12px' },
  '.cm-panel.cm-search button[name=select]': { display: 'none' },
  '.cm-panel.cm-search input.cm-textfield': { flex: '1 1 40%', minWidth: '0', margin: '0', fontSize: '12px', border: '1px solid var(--edge)', borderRadius: '4px', backgroundColor: 'var(--surface)', color: 'var(--text)' },
  '.cm-panel.cm-search .cm-button': { margin: '0', padding: '2px 8px', fontSize: '12px', backgroundImage: 'none', backgroundColor: 'var(--raised)', border: '1px solid var(--line)', borderRadius: '6px' },
  '.cm-panel.cm-search .cm-button:hover': { backgroundColor: 'var(--hover)' },
  '.cm-panel.cm-search label': { display: 'inline-flex', alignItems: 'center', gap: '4px', margin: '0 4px 0 0', fontSize: '12px' },
  '.cm-panel.cm-search input[type=checkbox]': { margin: '0', minHeight: '0' },
  '.cm-panel.cm-search button[name=close]': { top: '4px', right: '4px', minWidth: '28px', minHeight: '28px', fontSize: '16px', color: 'var(--muted)', cursor: 'pointer' },
  '.cm-searchMatch': { backgroundColor: 'var(--lit)', outline: '1px solid var(--edge)' },
  '.cm-searchMatch-selected': { backgroundColor: 'var(--selection)' },
  '.cm-selectionMatch': { backgroundColor: 'var(--hover)' },
});

/** The words of the search panel, in sentence case as everywhere on the page. */
const phrases = EditorState.phrases.of({
  next: 'Next', previous: 'Previous', 'match case': 'Match case', regexp: 'Regexp', 'by word': 'Whole word', replace: 'Replace', 'replace all': 'Replace all', close: 'Close search',
});

export const look = [syntaxHighlighting(colours), theme, phrases];
