import { withoutHiddenCharacters } from '@knowledge/runtime/hidden-characters';

/** The title of a contribution, or the beginning of its text, without hidden characters. */
export function titleOf({ title, body }: { readonly title: string | null; readonly body: string }): string {
  const text = withoutHiddenCharacters(title ?? body)
    .replace(/\s+/g, ' ')
    .trim();
  return text.length > 110 ? `${text.slice(0, 109).replace(/[\ud800-\udbff]$/, '')}…` : text;
}
