import createMarkdown, { type MarkdownIt } from 'markdown-it';

/**
 * Makes a parser for texts of the community. Pages and outlines name and rank headings with it, so that an anchor of
 * the API opens its heading on the page.
 */
export function createCommunityParser(): MarkdownIt {
  const parser = createMarkdown({ html: false, linkify: true });
  // File names such as `notes.md` and mail addresses must not become links.
  parser.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false });
  parser.linkify.add('mailto:', null);
  parser.core.ruler.push('lower_headings', ({ tokens }) => {
    const headings = tokens.filter(({ type }) => type === 'heading_open' || type === 'heading_close');
    const highest = Math.min(...headings.map(({ tag }) => Number(tag.slice(1))));
    // Leaves out no heading level, as accessible pages require.
    let level = 1;
    for (const heading of headings) {
      if (heading.nesting === 1) level = Math.min(6, level + 1, Number(heading.tag.slice(1)) - highest + 2);
      heading.tag = `h${level}`;
    }
  });
  parser.core.ruler.push('name_headings', ({ tokens }) => {
    const taken = new Map<string, number>();
    for (const [at, token] of tokens.entries()) {
      if (token.type !== 'heading_open') continue;
      // The page's own ids never begin with `text-`, so none of these is the same.
      const name = `${anchorPrefix}${idOf(wordsOf(tokens[at + 1])) || 'part'}`;
      let id = name;
      let count = taken.get(name) ?? 1;
      for (; taken.has(id); count += 1) id = `${name}-${count + 1}`;
      taken.set(name, count);
      taken.set(id, taken.get(id) ?? 1);
      token.attrSet('id', id);
    }
  });
  return parser;
}

/** The beginning of the id of every heading in a text of the community. */
export const anchorPrefix = 'text-';

/** The text of a heading, without its markup. */
export function wordsOf(inline: { children: readonly { content: string }[] | null } | undefined): string {
  return (inline?.children ?? []).map(({ content }) => content).join('');
}

export function idOf(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}
