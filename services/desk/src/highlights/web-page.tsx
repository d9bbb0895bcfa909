import type { ArticleEntry } from '@knowledge/proto/knowledge/content/v1/content';
import type { HighlightChoice } from '@knowledge/proto/knowledge/content/v1/editorial';
import { KnowledgeError } from '@knowledge/runtime';
import type { Fragment } from '@knowledge/runtime/html';
import { bounds } from '@knowledge/runtime/product';
import type { FastifyRequest } from 'fastify';
import { sites } from '../base/words.js';
import {
  actButton,
  areaField,
  buttonRow,
  csrfField,
  type FormFaults,
  formField,
  guardField,
  isRefused,
  linkButton,
  revisionIn,
  type Shown,
  siteTitle,
  strange,
  textField,
  titled,
} from '../pages/index.js';
import { lostBy } from './highlights.js';

/** Who saved another list meanwhile, if that is known. */
export interface Late {
  readonly by: string | undefined;
}

/** What the page of the highlights of a site shows around its form. */
interface HighlightsView extends HighlightForm {
  readonly site: string;
  /** The lines that readers see now. */
  readonly stored: readonly HighlightLine[];
  readonly faults: FormFaults<string>;
  /** Articles that the field for another line suggests. */
  readonly offered: readonly ArticleEntry[];
  readonly isSaved: boolean;
  /** Whether the form was sent and comes back. */
  readonly isSent: boolean;
  readonly late: Late | undefined;
}

/** The highlights of a site for those who may only read them. */
export function highlightsReading(site: string, stored: readonly HighlightLine[]): Shown {
  return titled(
    `Highlights of ${siteTitle(site)}`,
    <>
      <p>Readers see these articles first, in this order. Other sites: {otherSites(site)}.</p>
      {plainList(stored)}
    </>,
  );
}

/** The highlights of a site as lines that move up and down. */
export function highlightsPage(view: HighlightsView): Shown {
  const { site, lines, stored, revision, faults, offered, added, act, late } = view;
  const action = `/articles/highlights/${site}`;
  return titled(
    `Highlights of ${siteTitle(site)}`,
    <>
      <p>
        Readers see these articles first, in this order. Other sites: {otherSites(site)}. Nothing changes for them
        before you save.
      </p>
      {notices(view)}
      <form class="edit" method="post" action={action} data-unsent={view.isSent}>
        {csrfField()}
        {guardField('revision', revision)}
        {textField({
          name: 'added',
          label: 'Another article',
          value: added,
          list: 'articles',
          hint: `A published article of ${siteTitle(site)}: its title or words of it, its URL, or the name in that. It becomes the first line.`,
        })}
        <datalist id="articles">
          {offered.map(({ slug, title }) => (
            <option value={slug}>{title}</option>
          ))}
        </datalist>
        <p>{actButton('add', 'Add')}</p>
        {lines.length === 0 && <p>The list is empty.</p>}
        <ol class="lines" data-lines="">
          {lines.map((line) => lineFields(line, faults, act))}
        </ol>
        <p class="hint" data-with-script="" hidden>
          Inside a line, Alt with an arrow key moves it up or down.
        </p>
        <p class="aside" data-moved="" role="status"></p>
        {buttonRow(actButton('save', 'Save the list', { class: 'main' }), linkButton(action, 'Cancel'))}
      </form>
      {late !== undefined && (
        <>
          <h2>What readers see now</h2>
          {plainList(stored)}
        </>
      )}
    </>,
    { status: late && 422 },
  );
}

/** `pressed` is the button that was pressed; it gets the focus again. */
function lineFields({ slug, title, note }: HighlightLine, { of }: FormFaults<string>, pressed: string) {
  // A slug may be the name of what every object has.
  const fault = Object.hasOwn(of, slug) ? of[slug] : undefined;
  const button = (what: 'up' | 'down' | 'remove', label: string) => (
    <button
      name="act"
      value={`${what}:${slug}`}
      aria-label={`${label}: ${title}`}
      autofocus={pressed === `${what}:${slug}`}
      data-move={what}
    >
      {label}
    </button>
  );
  return (
    <li data-title={title}>
      <input type="hidden" name={`title-${slug}`} value={title} />
      {areaField({
        name: `note-${slug}`,
        value: note,
        rows: 2,
        maxlength: bounds.summary.max,
        fault,
        label: title,
        hint: slug,
        placeholder: 'Why you chose it; readers see this note',
      })}
      <div class="line-buttons">
        {button('up', 'Up')}
        {button('down', 'Down')}
        {button('remove', 'Remove')}
      </div>
    </li>
  );
}

/** Says what became of the form, and what saving it would lose. */
function notices({ lines, stored, faults, isSaved, isSent, late }: HighlightsView): Fragment {
  if (isSaved) {
    return (
      <p class="notice" role="status">
        Saved. Readers see this list.
      </p>
    );
  }
  const refused = isRefused(faults);
  if (!isSent) return undefined;
  const titles = new Map(stored.map(({ slug, title }) => [slug, title]));
  const lost = lostBy(toChoices(stored), toChoices(lines));
  const isAlone = faults.others.length > 0 || late !== undefined;
  return (
    <div
      class="notice"
      role={refused || late !== undefined ? 'alert' : 'status'}
      tabindex={isAlone && -1}
      autofocus={isAlone}
    >
      {late !== undefined && (
        <p class="fault">{strange(late.by) ?? 'Somebody'} saved another list meanwhile, so yours is not stored.</p>
      )}
      {refused && (
        <p class="fault">Nothing was stored. {faults.others.join(' ') || 'See what is said in the lines.'}</p>
      )}
      <p>{late !== undefined ? 'If you save again, your list replaces it.' : 'This list is not saved yet.'}</p>
      {lost.map(({ slug, note, isRemoved }) => (
        <p>
          Saving {isRemoved ? 'removes' : 'replaces the note of'} <bdi>{titles.get(slug) ?? slug}</bdi>
          {note !== '' && [isRemoved ? ', with its note: ' : ': ', <q>{note}</q>]}
        </p>
      ))}
    </div>
  );
}

function plainList(lines: readonly HighlightLine[]) {
  if (lines.length === 0) return <p>No highlights.</p>;
  return (
    <ol>
      {lines.map(({ title, note }) => (
        <li>
          <bdi>{title}</bdi>
          {note !== '' && [': ', <q>{note}</q>]}
        </li>
      ))}
    </ol>
  );
}

function otherSites(site: string): Fragment {
  return sites.words
    .filter((each) => each !== site)
    .map((each) => <a href={`/articles/highlights/${each}`}>{siteTitle(each)}</a>);
}

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
export function readHighlightForm(request: FastifyRequest) {
  const { body } = request;
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
    revision: revisionIn(request, 'revision', 0),
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

/** The style of the lines that move. */
export const highlightsStyle = `
.lines { display: grid; gap: .6rem; margin: 0; padding-inline-start: 1.8rem; }
.lines > li { margin: 0; padding: .6rem .8rem; border: 1px solid var(--line); border-radius: 6px; }
.lines > li:focus-within { border-color: var(--accent); }
.lines label { font-weight: 600; overflow-wrap: anywhere; }
.lines textarea { width: 100%; font: 1rem/1.4 var(--sans); }
.line-buttons { display: flex; flex-wrap: wrap; gap: .5rem; margin-block-start: .5rem; }
.line-buttons button { min-height: 2.25rem; padding: .1rem .9rem; border-width: 1px; font-size: .9375rem; }
`;
