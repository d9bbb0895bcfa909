import { withoutHiddenCharacters } from '@knowledge/runtime';
import { looseWords, plainText, type ReadMarkdown, readMarkdown } from '@knowledge/runtime/markdown';
import { bareHostsIn, hostOf, hostsIn } from '@knowledge/runtime/names';
import type { Contribution } from '../domain/contribution.js';

/** The texts and the language of a contribution, as the checks read them. */
export type CheckedText = Pick<Contribution, 'title' | 'body' | 'name' | 'language' | 'purpose'>;

/** A text as its readers get it. To read Markdown costs most of a check, so it is done once. */
export interface ReadText extends CheckedText, ReadMarkdown {
  /** Title, name, the words of the body and the targets of its links, each in a line of its own. */
  readonly words: string;
  /** The same in one line, with letters in their usual form. */
  readonly readable: string;
  /** The title, and the words of the body that are neither code nor a link. */
  readonly loose: string;
  /** The hosts to which its links lead, and those that stand in its loose words, at most 50. */
  readonly hosts: readonly string[];
}

export function readText(text: CheckedText): ReadText {
  const read = readMarkdown(text.body);
  const targets = read.links.map(({ target }) => decoded(target));
  const shown = plainText(text.body, '', read);
  const words = withoutHiddenCharacters([text.title, text.name, shown, ...targets].join('\n'));
  const loose = withoutHiddenCharacters(`${text.title ?? ''}\n${looseWords(read)}`).normalize('NFKC');
  const written = [...hostsIn(loose), ...bareHostsIn(loose)].map((host) => `http://${host}`);
  const hosts = [...targets, ...written].map(hostOf);
  return {
    ...text,
    ...read,
    words,
    readable: words.normalize('NFKC').replace(/\s+/g, ' '),
    loose,
    hosts: hosts.filter((host) => host !== '').slice(0, mostHosts),
  };
}

/** How many hosts of a text are looked at. */
export const mostHosts = 50;

function decoded(target: string): string {
  try {
    return decodeURIComponent(target);
  } catch {
    return target;
  }
}
