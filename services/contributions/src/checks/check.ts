import { withoutHiddenCharacters } from '@knowledge/runtime';
import { looseWords, plainText, type ReadMarkdown, readMarkdown } from '@knowledge/runtime/markdown';
import { bareHostsIn, hostOf, hostsIn } from '@knowledge/runtime/names';
import { lineNames, type WrittenName } from '@knowledge/runtime/product';
import type { Contribution } from '../domain/contribution.js';
import type { LikeText } from './similarity.js';

/** What a check of a text found, for moderators. */
export interface Finding {
  /** The name of the check, for example `links`. */
  check: string;
  /** How much it adds to the risk, from 1 to 100. */
  weight: number;
  /** What was found, in plain words; at most 200 characters. */
  text: string;
  /** The published text that it names. */
  about?: NonNullable<Contribution['about']>;
  /** The key of the wave that it counts, which all its texts have in `waves`. */
  wave?: string;
}

/** What a check found: how much it adds to the risk, and why. */
export type Found = Omit<Finding, 'check'>;

/** A check of a text alone. Undefined if it finds nothing. */
export type TextCheck = (text: ReadText) => Found | undefined;

/** What of a contribution is published already. */
export interface Compared {
  /** The published text with most of it. Undefined for none, `unknown` if content did not answer. */
  readonly published?: LikeText | 'unknown' | undefined;
  /** The author of an article or an object of the editors whose name looks like its own. */
  readonly author?: string | undefined;
}

/** What the service knows about the human, the agent and other texts at the time of a submission. */
export interface Background {
  /** How many contributions of the human were rejected. */
  rejected: number;
  /** How many contributions the human sent before. */
  earlier: number;
  /** How many contributions came over the same authorization in the 24 hours before. */
  ofAgentToday: number;
  /** The most similar other contribution; undefined if none is similar. */
  nearest: { percent: number; sameHuman: boolean } | undefined;
  published: Compared['published'];
  /** The name of another author of published texts, if this one looks like it. */
  borrowed: string | undefined;
  /** The names of the rules that found a secret. */
  secrets: readonly string[];
  /** The language that the sender stated, and the one that the text is certainly in; empty for none. */
  languages: { stated: string; recognised: string };
  /** The waves to which the text belongs. */
  waves: readonly Wave[];
}

/** The recent texts that have one thing in common. */
export interface Wave {
  /** Its kind and the value, such as `link:example.org`, as `waves` of a stored contribution has it. */
  readonly key: string;
  readonly texts: number;
  /** How many humans sent them. */
  readonly humans: number;
}

/** A check of what is known beside the text. Undefined if it finds nothing. */
export type BackgroundCheck = (background: Background) => Found | undefined;

/** `1 link`, `2 links`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** The texts and the language of a contribution, as the checks read them. */
type CheckedText = Pick<Contribution, WrittenName | 'purpose'>;

/** A text as its readers get it. To read Markdown costs most of a check, so it is done once. */
export interface ReadText extends CheckedText, ReadMarkdown {
  /** The lines, the name, the words of the body and the targets of its links, one below the other. */
  readonly words: string;
  /** The same in one line, with letters in their usual form. */
  readonly readable: string;
  /** The lines, and the words of the body that are neither code nor a link. */
  readonly loose: string;
  /** The hosts to which its links lead, and those that stand in its loose words, at most 50. */
  readonly hosts: readonly string[];
}

export function readText(text: CheckedText): ReadText {
  const body = withoutHiddenCharacters(text.body);
  const read = readMarkdown(body);
  const lines = lineNames.map((line) => text[line]);
  const targets = read.links.map(({ target }) => decoded(target));
  const shown = plainText(body, '', read);
  const words = withoutHiddenCharacters([...lines, text.name, shown, ...targets].join('\n'));
  const loose = withoutHiddenCharacters([...lines, looseWords(read)].join('\n')).normalize('NFKC');
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

function decoded(target: string) {
  try {
    return decodeURIComponent(target);
  } catch {
    return target;
  }
}
