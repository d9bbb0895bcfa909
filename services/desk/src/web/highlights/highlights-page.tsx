import type { Site } from '@knowledge/proto/knowledge/common/v1/common';
import type { ArticleEntry } from '@knowledge/proto/knowledge/content/v1/content';
import type { Fragment, Html } from '@knowledge/runtime/html';
import { bounds } from '@knowledge/runtime/product';
import { lostBy } from '../../highlights/lost-by.js';
import { sites } from '../../words.js';
import {
  areaField,
  buttonRow,
  csrfField,
  guardField,
  linkButton,
  type Shown,
  siteTitle,
  strange,
  textField,
  titled,
} from '../page-parts.js';
import { type HighlightFaults, type HighlightLine, toChoices } from './highlight-form.js';

/** What the page of the highlights of a site shows. */
export interface HighlightsView {
  readonly site: Site;
  /** The lines of the form, and those that readers see now. */
  readonly lines: readonly HighlightLine[];
  readonly stored: readonly HighlightLine[];
  /** The revision that the form replaces. */
  readonly revision: number;
  readonly faults: HighlightFaults;
  /** Articles that the field for another line suggests. */
  readonly offered: readonly ArticleEntry[];
  /** What stands in the field for another line. */
  readonly added?: string;
  /** The button that was pressed; it gets the focus again. */
  readonly pressed?: string;
  readonly isSaved?: boolean;
  /** Who saved another list meanwhile; undefined if nobody did. */
  readonly late?: { readonly by: string | undefined };
}

/** The highlights of a site for those who may only read them. */
export function highlightsReading({ site: wire, stored }: Pick<HighlightsView, 'site' | 'stored'>): Shown {
  const site = sites.fromWire(wire);
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
  const { lines, stored, revision, faults, offered, added = '', pressed = '', late } = view;
  const site = sites.fromWire(view.site);
  const action = `/articles/highlights/${site}`;
  const isRefused = late !== undefined || faults.others.length > 0 || faults.ofLine.size > 0;
  const main = (
    <>
      <h1>Highlights of {siteTitle(site)}</h1>
      <p>
        Readers see these articles first, in this order. Other sites: {otherSites(site)}. Nothing changes for them
        before you save.
      </p>
      {notices(view)}
      <form class="edit" method="post" action={action} data-unsent={view.pressed !== undefined}>
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
          {lines.map((line) => lineFields(line, faults.ofLine.get(line.slug), pressed))}
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
    </>
  );
  return { title: `Highlights of ${siteTitle(site)}`, main, status: isRefused ? 422 : 200 };
}

function lineFields({ slug, title, note }: HighlightLine, fault: string | undefined, pressed: string): Html {
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
function notices({ lines, stored, faults, isSaved, late, pressed }: HighlightsView): Fragment {
  if (isSaved) {
    return (
      <p class="notice" role="status">
        Saved. Readers see this list.
      </p>
    );
  }
  const refused = faults.others.length > 0 || faults.ofLine.size > 0;
  if (pressed === undefined) return undefined;
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
