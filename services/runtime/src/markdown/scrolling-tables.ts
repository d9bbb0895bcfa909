import type { MarkdownIt } from 'markdown-it';

/** Lets wide tables scroll, also by keyboard. Alignment is a class, since the policy forbids style attributes. */
export function withScrollingTables(markdown: MarkdownIt): MarkdownIt {
  const { rules } = markdown.renderer;
  rules['table_open'] = () => '<div class="scroll" tabindex="0"><table>\n';
  rules['table_close'] = () => '</table></div>\n';
  for (const cell of ['th', 'td']) {
    // An empty header cell names nothing, so it becomes a data cell.
    const nameOf = (content: string | undefined): string => (cell === 'th' && content === '' ? 'td' : cell);
    rules[`${cell}_close`] = (tokens, at) => `</${nameOf(tokens[at - 1]?.content)}>\n`;
    rules[`${cell}_open`] = (tokens, at) => {
      const name = nameOf(tokens[at + 1]?.content);
      const alignment = /right|center/.exec(String(tokens[at]?.attrGet('style') ?? ''))?.[0];
      const dir = tokens[at]?.attrGet('dir');
      const direction = dir ? ` dir="${dir}"` : '';
      return alignment === undefined ? `<${name}${direction}>` : `<${name} class="${alignment}"${direction}>`;
    };
  }
  return markdown;
}
