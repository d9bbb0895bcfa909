import createMarkdown, { type StateCore, type Token } from 'markdown-it';
import { withoutHiddenCharacters } from '../text/hidden-characters.js';

/**
 * Reads `> [!NOTE]` and its siblings, the numbers of lists, and the boxes of task lists. Takes away what entities hide.
 */
export function settleMarks({ tokens }: StateCore): void {
  numberItems(tokens);
  for (const [at, token] of tokens.entries()) {
    if (token.type !== 'inline' || token.children === null) continue;
    if (token.content.includes('&')) showEntities(token.children);
    const [first, second] = token.children;
    const container = tokens[at - 2];
    if (first?.type !== 'text' || tokens[at - 1]?.type !== 'paragraph_open') continue;
    if (container?.type === 'list_item_open') {
      first.content = first.content.replace(/^\[ \] /, '☐ ').replace(/^\[[xX]\] /, '☑ ');
    } else if (container?.type === 'blockquote_open' && (second === undefined || second.type === 'softbreak')) {
      const [, kind] = alert.exec(first.content) ?? [];
      if (kind === undefined) continue;
      container.attrSet('class', kind.toLowerCase());
      first.content = `${kind.charAt(0).toUpperCase()}${kind.slice(1).toLowerCase()}`;
      token.children.splice(0, 1, inlineToken('strong_open', 1), first, inlineToken('strong_close', -1));
      if (second !== undefined) second.type = 'hardbreak';
    }
  }
}

const alert = /^\[!(NOTE|TIP|IMPORTANT|WARNING|CAUTION)\]$/i;

// Pages count from 1. Other numbers are shown, but those of `5. 5. 5.` mean counting on.
function numberItems(tokens: readonly Token[]): void {
  const lists: { first?: number; next: number }[] = [];
  for (const token of tokens) {
    if (token.type === 'ordered_list_close') lists.pop();
    if (token.type === 'ordered_list_open') {
      token.attrs = null;
      lists.push({ next: 1 });
    }
    const list = lists.at(-1);
    if (token.type !== 'list_item_open' || token.info === '' || list === undefined) continue;
    const number = Number(token.info);
    if (number !== list.next && number !== list.first) {
      token.attrs = [['value', number]];
      list.next = number;
    }
    list.first ??= number;
    list.next += 1;
  }
}

function inlineToken(type: string, nesting: 1 | -1): Token {
  return new createMarkdown.Token(type, 'strong', nesting);
}

function showEntities(tokens: readonly Token[]): void {
  for (const token of tokens) {
    if (token.type === 'text') token.content = withoutHiddenCharacters(token.content);
    for (const attribute of token.attrs ?? []) attribute[1] = withoutHiddenCharacters(String(attribute[1]));
    if (token.children !== null) showEntities(token.children);
  }
}
