import { bounds } from '@knowledge/runtime/product';
import anyAscii from 'any-ascii';
import type { FieldReader } from '../files/fields.js';

/**
 * The names that other systems give to our fields: Hugo, Jekyll, Zola, Obsidian, dev.to, Docusaurus, Ghost, WordPress. The
 * first that a file fills counts. How a name is written does not: `pubDate` is `pub_date`.
 */
const names = {
  slug: ['slug'],
  title: ['title'],
  summary: ['summary', 'description', 'excerpt', 'custom_excerpt'],
  author: ['author', 'authors'],
  language: ['language', 'lang', 'locale'],
  published_at: ['published_at', 'publish_date', 'date', 'pub_date', 'date_published', 'published', 'created'],
} satisfies Record<string, readonly string[]>;

const tagNames = ['tags', 'tag', 'categories', 'category', 'keywords'];

const notNo = /^(?!(?:false|no|off|n|0)$)/i;
// Some systems write a date here.
const notYes = /^(?!(?:true|yes|on|y|1|\d{4}-.*)$)/i;

const notPublic = /^(?:auto-)?(?:draft|pending|private|future|scheduled|trash|hidden|unpublished)$/i;
// Hugo makes no page, or none that a list has.
const notBuilt = /"(?:render|list)":"(?:never|false|link)"/i;

/** The values by which other systems keep a file from the public. A value that is strange does so too. */
const withheld: Readonly<Record<string, RegExp>> = {
  draft: notNo,
  private: notNo,
  unlisted: notNo,
  headless: notNo,
  published: notYes,
  publish: notYes,
  render: notYes,
  status: notPublic,
  post_status: notPublic,
  build: notBuilt,
  _build: notBuilt,
  visibility: /^(?!public$)/i,
  password: /./,
};

/** Says why a file is not public where it comes from; undefined if it is. */
export function withheldBy(reader: FieldReader): string | undefined {
  let reason: string | undefined;
  for (const [name, pattern] of Object.entries(withheld)) {
    if (reader.filled([name]) === undefined) continue;
    const taken = reader.take(name);
    const value = typeof taken === 'object' ? JSON.stringify(taken) : String(taken).trim();
    if (pattern.test(value))
      reason ??= name === 'password' ? 'it has a password' : `it has ${name} ${value.slice(0, 20)}`;
  }
  const until = reader.filled(['expiry_date', 'unpublish_date']);
  const end = until === undefined ? undefined : reader.time(until);
  return reason ?? (end !== undefined && end < new Date() ? 'its expiry date is past' : undefined);
}

/** Reads fields under the names of any system. Notes say what was not ours. */
export function foreignReader(reader: FieldReader, notes: string[]) {
  const nameOf = (field: keyof typeof names) => {
    // Whether it is published is no time.
    const isFlag = !/^\s*\d{4}-/.test(String(reader.peek('published')));
    const usable = names[field].filter((name) => name !== 'published' || !isFlag);
    const name = reader.filled(usable) ?? field;
    if (name !== field) notes.push(`${field} from ${name}`);
    return name;
  };
  return {
    text: (field: keyof typeof names) => reader.text(nameOf(field)),
    time: (field: 'published_at') => reader.time(nameOf(field)),
    author: () => {
      const name = nameOf('author');
      const author = typeof reader.peek(name) === 'object' ? reader.words(name).join(', ') : reader.text(name);
      return onOneLine(author);
    },
    tags: () => readTags(reader, notes),
  };
}

/** Joins a text of YAML over several lines, without the spaces around it. */
export function onOneLine(text: string): string {
  const lines = text.split('\n').map((line) => line.trim());
  return lines.join(' ').trim();
}

function readTags(reader: FieldReader, notes: string[]) {
  const tags = new Set<string>();
  const mapped: string[] = [];
  const left: string[] = [];
  for (const name of tagNames.filter((each) => reader.filled([each]) !== undefined)) {
    if (name !== 'tags') notes.push(`tags from ${name}`);
    for (const label of reader.words(name)) {
      const tag = tagOf(label);
      const fits = tag !== '' && (tags.has(tag) || tags.size < bounds.tags);
      if (!fits) left.push(label);
      else if (tag !== label) mapped.push(`${label} is ${tag}`);
      if (fits) tags.add(tag);
    }
  }
  if (mapped.length > 0) notes.push(`tags mapped: ${mapped.join(', ')}`);
  if (left.length > 0)
    notes.push(`tags left out, at most ${bounds.tags} with letters or digits are taken: ${left.join(', ')}`);
  return [...tags];
}

function tagOf(label: string) {
  const { max } = bounds.tag;
  if (label.length <= max && /^[a-z0-9-]+$/.test(label)) return label;
  const words = label.replace(/^#/, '').replaceAll('+', ' plus ').replaceAll('#', ' sharp ').replaceAll('&', ' and ');
  return suggestSlug(words).slice(0, max).replace(/-$/, '');
}

/** Makes the name in the URL from a title in any script; empty for a title without letters and digits. */
export function suggestSlug(title: string): string {
  const words =
    anyAscii(title)
      .toLowerCase()
      .replace(/['’]/g, '')
      .match(/[a-z0-9]+/g) ?? [];
  return words.join('-').slice(0, bounds.slug.max).replace(/-$/, '');
}
