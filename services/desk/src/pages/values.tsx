import { actors, isContributor } from '@knowledge/runtime';
import { type Attributes, type Fragment, type Html, minuteElement } from '@knowledge/runtime/html';
import { siteTitles } from '@knowledge/runtime/product';
import { entryWords } from '../base/contribution-words.js';
import { segmentsOf } from '../base/odd-characters.js';
import { words } from '../base/text.js';
import type { TransitionView } from '../base/transition.js';
import { sites } from '../base/words.js';

/** A point in time as people read it; nothing if there is none. */
export function timeOf(at: Date | string | null | undefined): Html | undefined {
  return at === null || at === undefined || at === '' ? undefined : minuteElement(new Date(at));
}

/** A text of a stranger: its direction does not reach beyond it, and hidden characters are seen. */
export function strange(text: string | null | undefined): Html | undefined {
  return text ? <bdi>{marked(text)}</bdi> : undefined;
}

/** A text in which every hidden or odd character is written as its code, with its name. */
export function marked(text: string): Html {
  return (
    <>
      {segmentsOf(text).map((each, at) => {
        if ('text' in each) return each.text;
        // A text of nothing else would become a page of megabytes.
        if (at > 400) return '⟦…⟧';
        return (
          <mark class="odd" title={each.name}>
            ⟦{each.code}⟧
          </mark>
        );
      })}
    </>
  );
}

/** What a transition did: `pending review → approved`, or `changed` if the state is the same. */
export function changeWords(from: string, to: string): string {
  return entryWords(from, to) ?? (from === to ? 'changed' : `${words(from) || 'new'} → ${words(to)}`);
}

/** Who did something to a contribution. Agent and human act under no name that people know. */
export function actorWords(actor: string): string {
  if (actor === actors.human) return 'its human';
  return actor === actors.agent || isContributor(actor) ? 'its agent' : actor;
}

/** The title of a site, for example `Organisation` for `org`. */
export function siteTitle(site: string): string {
  return Object.hasOwn(siteTitles, site) ? siteTitles[site as keyof typeof siteTitles] : site;
}

/** The sites to choose from, with the words of the command line. */
export const siteChoices = sites.words.map((site) => [site, `${siteTitle(site)} (${site})`] as const);

/** The state of a thing, which stands out in a list. */
export function stateMark(state: string): Html {
  return <span class="state">{state}</span>;
}

/** A list of facts: terms with their values. Those without a value are left out. */
export function facts(values: Readonly<Record<string, Fragment | null>>): Html {
  const shown = Object.entries(values).filter(([, value]) => value || value === 0);
  return (
    <dl class="facts">
      {shown.map(([term, value]) => (
        <div>
          <dt>{term}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** The cells of a table, by the headers of their columns. Each is a field by its name, or what a function makes of an item. */
export type Cells<Item> = Readonly<Record<string, FieldOf<Item> | ((item: Item, at: number) => Fragment)>>;

type FieldOf<Item> = {
  [Name in keyof Item & string]: Item[Name] extends string | number | Date | null | undefined ? Name : never;
}[keyof Item & string];

/** A field `…_at` or `…At` is a time, and a text is one of a stranger. */
function cellOf<Item>(item: Item, at: number, cell: Cells<Item>[string]) {
  if (typeof cell === 'function') return cell(item, at);
  const value = item[cell] as string | number | Date | null | undefined;
  if (typeof value === 'number') return value;
  return value instanceof Date || cell.endsWith('_at') ? timeOf(value) : strange(value);
}

/**
 * A table that scrolls by itself on narrow screens; one sentence if there is nothing to show. The columns `numbers` are
 * compared by their ends.
 */
export function tableOf<Item>(
  label: string,
  items: readonly Item[],
  cells: Cells<Item>,
  none: string,
  ...numbers: readonly string[]
): Html {
  if (items.length === 0) return <p class="soft">{none}</p>;
  const columns = Object.entries(cells);
  return (
    <section class="scroll" tabindex="0" aria-label={label}>
      <table>
        <thead>
          <tr>
            {columns.map(([header]) => (
              <th scope="col">{header}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {items.map((item, at) => (
            <tr>
              {columns.map(([header, cell]) => (
                <td class={numbers.includes(header) ? 'right' : undefined}>{cellOf(item, at, cell)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** A table below its heading. */
export function titledTable<Item>(...[title, ...parts]: Parameters<typeof tableOf<Item>>): Html {
  return (
    <>
      <h2>{title}</h2>
      {tableOf(title, ...parts)}
    </>
  );
}

/** Who changed it, when and why; oldest first. */
export function historyTable(history: readonly TransitionView[]): Html {
  return titledTable(
    'History',
    history,
    {
      When: 'occurred_at',
      Change: ({ from_state, to_state }) => changeWords(from_state, to_state),
      Who: 'actor',
      Why: 'reason',
    },
    'Nothing is stored.',
  );
}

/** A link that stands alone. */
export function linkLine(href: string, label: Fragment): Html {
  return (
    <p>
      <a href={href}>{label}</a>
    </p>
  );
}

/** A link to a thing by its title, which may be in any direction. */
export function titleLink(href: string, title: Fragment): Html {
  return (
    <a href={href}>
      <bdi>{title}</bdi>
    </a>
  );
}

/** A link to the next page of a list; nothing on the last one. The field `name` has its token. */
export function moreLink(
  label: string,
  path: string,
  query: Readonly<Record<string, string>>,
  token: string,
  name = 'page',
): Fragment {
  return token === '' ? undefined : linkLine(`${path}?${new URLSearchParams({ ...query, [name]: token })}`, label);
}

/** A part of a page, under its own heading. */
export function section(
  name: string,
  title: Fragment,
  content: Fragment,
  attributes: Attributes & { readonly [name: `hx-${string}`]: string } = {},
): Html {
  return (
    <section {...attributes} aria-labelledby={`${name}-title`}>
      <h3 id={`${name}-title`}>{title}</h3>
      {content}
    </section>
  );
}
