import createMarkdown, { type Token } from 'markdown-it';

/** Makes tokens that show lines as they were written, one for each paragraph. */
export function sourceTokens(lines: readonly string[], firstLine = 0): Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const start = at;
    while (at < lines.length && lines[at]?.trim() !== '') at += 1;
    if (at === start) continue;
    const token = new createMarkdown.Token('source', 'p', 0);
    token.block = true;
    token.map = [firstLine + start, firstLine + at];
    token.content = lines.slice(start, at).join('\n');
    tokens.push(token);
  }
  return tokens;
}
