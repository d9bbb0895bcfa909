import type { HighlightChoice } from '@knowledge/proto/knowledge/content/v1/editorial';
import { KnowledgeError } from '@knowledge/runtime';
import type { FastifyRequest } from 'fastify';
import { type FormFaults, formField } from '../page-parts.js';

/** A line of the form: an article, and why the editors chose it. */
export interface HighlightLine {
  readonly slug: string;
  readonly title: string;
  readonly note: string;
}

/** What the form sent. */
export type HighlightForm = ReturnType<typeof readHighlightForm>;

/** More than the service allows, so that nothing typed is lost before the service says so. */
const mostLines = 100;
const noteField = /^note-([a-z0-9-]{1,80})$/;

/** Reads what the form sent. The order of the lines is that of the fields, so a script may move them freely. */
export function readHighlightForm({ body }: FastifyRequest) {
  const slugs = Object.keys(typeof body === 'object' && body !== null ? body : {}).flatMap(
    (name) => noteField.exec(name)?.[1] ?? [],
  );
  if (slugs.length > mostLines) throw new KnowledgeError('validation_error', 'That are too many highlights.');
  const lines: readonly HighlightLine[] = slugs.map((slug) => ({
    slug,
    title: formField(body, `title-${slug}`, 1000),
    note: formField(body, `note-${slug}`, 5000).trim(),
  }));
  return {
    lines,
    /** The revision of the list that the editor has seen. */
    revision: Number(/^\d{1,15}$/.exec(formField(body, 'revision'))?.[0] ?? 0),
    /** `save`, or what to do with which line, such as `up:rolling-out-sso`. */
    act: formField(body, 'act'),
    /** The article to add; empty for none. An address is read as the name in it. */
    added: formField(body, 'added', 1000)
      .trim()
      .replace(/^(?:https?:\/)?\/\S*\/([^/?#]*)\S*$/, '$1'),
  };
}

/** Moves or removes the line that the pressed button names. */
export function changeLines(lines: readonly HighlightLine[], act: string): readonly HighlightLine[] {
  const [what, slug] = act.split(':');
  const at = lines.findIndex((each) => each.slug === slug);
  const line = lines[at];
  if (line === undefined) return lines;
  const others = lines.toSpliced(at, 1);
  if (what === 'remove') return others;
  if (what === 'up') return others.toSpliced(Math.max(at - 1, 0), 0, line);
  return what === 'down' ? others.toSpliced(at + 1, 0, line) : lines;
}

export function toChoices(lines: readonly HighlightLine[]): HighlightChoice[] {
  return lines.map(({ slug, note }) => ({ slug, editorNote: note }));
}

/** Reads a refusal of the service, which names a line by its place. The faults of a line stand by its slug. */
export function faultsOf(message: string, lines: readonly HighlightLine[]): FormFaults<string> {
  const of: Record<string, string> = {};
  const others: string[] = [];
  for (const fault of message.replace(/\.$/, '').split('; ')) {
    const [, place, what = ''] = /^highlights\[(\d+)\]\.(.*)$/s.exec(fault) ?? [];
    const line = place === undefined ? undefined : lines[Number(place)];
    if (line === undefined) others.push(`${fault.replace(/^highlights must be/, 'The list must have')}.`);
    else of[line.slug] = `${what.replace(/^slug /, '').replace(/^editor_note /, 'The note ')}.`;
  }
  return { of, others };
}
