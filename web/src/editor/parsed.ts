/** YAML as the editor parses it for its colours and folds: a text that nests too deep for that stays plain. */
import { yamlLanguage } from '@codemirror/lang-yaml';
import { LanguageSupport } from '@codemirror/language';
import { NodeType, type ParseWrapper, Tree } from '@lezer/common';

/** The parser recurses as deep as the text nests. What it throws then would undo the change that brought the text. */
export const unbroken: ParseWrapper = (parse, input) => ({
  get parsedPos() {
    return parse.parsedPos;
  },
  get stoppedAt() {
    return parse.stoppedAt;
  },
  stopAt: (at) => parse.stopAt(at),
  advance: () => {
    try {
      return parse.advance();
    } catch {
      return new Tree(NodeType.none, [], [], input.length);
    }
  },
});

export function yaml(): LanguageSupport {
  return new LanguageSupport(yamlLanguage.configure({ wrap: unbroken }));
}
