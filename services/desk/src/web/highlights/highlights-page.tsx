import type { ArticleEntry } from '@knowledge/proto/knowledge/content/v1/content';
import type { Fragment, Html } from '@knowledge/runtime/html';
import { bounds } from '@knowledge/runtime/product';
import { lostBy } from '../../highlights.js';
import { sites } from '../../words.js';
import {
  areaField,
  buttonRow,
  csrfField,
  type FormFaults,
  guardField,
  isRefused,
  linkButton,
  type Shown,
  siteTitle,
  strange,
  textField,
  titled,
} from '../page-parts.js';
import { type HighlightForm, type HighlightLine, toChoices } from './highlight-form.js';

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
export function highlightsPage(view: HighlightsView, csrf: string): Shown {
  const { site, lines, stored, revision, faults, offered, added, act, late } = view;
  const action = `/articles/highlights/${site}`;
  const page = titled(
    `Highlights of ${siteTitle(site)}`,
    <>
      <p>
        Readers see these articles first, in this order. Other sites: {otherSites(site)}. Nothing changes for them
        before you save.
      </p>
      {notices(view)}
      <form class="edit" method="post" action={action} data-unsent={view.isSent}>
        {csrfField(csrf)}
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
        <p>
          <button name="act" value="add">
            Add
          </button>
        </p>
        {lines.length === 0 && <p>The list is empty.</p>}
        <ol class="lines" data-lines="">
          {lines.map((line) => lineFields(line, faults, act))}
        </ol>
        <p class="hint" data-with-script="" hidden>
          Inside a line, Alt with an arrow key moves it up or down.
        </p>
        <p class="aside" data-moved="" role="status"></p>
        {buttonRow(
          <button class="main" name="act" value="save">
            Save the list
          </button>,
          linkButton(action, 'Cancel'),
        )}
      </form>
      {late !== undefined && (
        <>
          <h2>What readers see now</h2>
          {plainList(stored)}
        </>
      )}
    </>,
  );
  return late === undefined ? page : { ...page, status: 422 };
}

/** `pressed` is the button that was pressed; it gets the focus again. */
function lineFields({ slug, title, note }: HighlightLine, { of }: FormFaults<string>, pressed: string): Html {
  // A slug may be the name of what every object has.
  const fault = Object.hasOwn(of, slug) ? of[slug] : undefined;
  const button = (what: 'up' | 'down' | 'remove', label: string): Html => (
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
  return (
    <div class="notice" role={refused || late !== undefined ? 'alert' : 'status'}>
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

function plainList(lines: readonly HighlightLine[]): Html {
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
