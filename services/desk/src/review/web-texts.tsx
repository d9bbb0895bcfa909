import { domainToUnicode } from 'node:url';
import { withoutHiddenCharacters } from '@knowledge/runtime/hidden-characters';
import { type Fragment, type Html, languageTag } from '@knowledge/runtime/html';
import { looseWords, type RenderedText, type RenderMarkdown, readMarkdown } from '@knowledge/runtime/markdown';
import { bareHostsIn, looksLikeAnother } from '@knowledge/runtime/names';
import { comparedNames, labels } from '@knowledge/runtime/product';
import { titleOf, typeOf } from '../base/contribution-words.js';
import { segmentsOf } from '../base/odd-characters.js';
import type { ContributionView } from '../contributions/contribution.js';
import { contributionDifference, editsOf } from '../contributions/text-changes.js';
import { marked, section, sideBySide, strange, timeOf, words } from '../pages/index.js';
import { itemPath, type QueueFilter } from './web-read-queue.js';

/** The text of a contribution as readers would get it. */
export function renderedText({ title, body, language }: ContributionView, markdown: RenderMarkdown): RenderedText {
  const fields = { title: title ?? '', language: language ?? '', lowered: 2 };
  return markdown(withoutHiddenCharacters(body), fields);
}

/** The text of a contribution three times: as people get it, as models get it, and as it was sent. */
export function texts(item: ContributionView, shown: RenderedText): Html {
  const { body, language } = item;
  const cleaned = withoutHiddenCharacters(body);
  const sent = comparedNames.map((name) => [labels[name], item[name]] as const);
  const isOdd = sent.some(([, text]) => segmentsOf(text ?? '').some((each) => 'code' in each));
  const links = linksIn(cleaned);
  return (
    <>
      {section(
        'people',
        'As people get it',
        <>
          <div class="theirs text" lang={languageTag(language ?? undefined) ?? ''} dir={shown.direction} hx-disable>
            {shown}
          </div>
          {links.length > 0 && (
            <details open={links.some(({ isOdd, isHidden }) => isOdd || isHidden)}>
              <summary>Where its links lead ({links.length})</summary>
              <ul class="hosts">
                {links.map(({ host, isOdd, isHidden }) => (
                  <li>
                    <code>{host}</code> {isOdd && <span class="mark">looks like another name</span>}{' '}
                    {isHidden && <span class="mark">its link shows another host</span>}
                  </li>
                ))}
              </ul>
            </details>
          )}
        </>,
      )}
      <details open={isOdd}>
        <summary>As it was sent{isOdd ? ', with characters that nobody sees' : ''}</summary>
        {sent.map(
          ([field, text]) =>
            text !== null && (
              <>
                <h4>{field}</h4>
                <pre tabindex="0" class="sent" dir="ltr">
                  {marked(text)}
                </pre>
              </>
            ),
        )}
      </details>
      <details>
        <summary>As models get it</summary>
        <pre tabindex="0" class="sent" dir="auto">
          {marked(cleaned)}
        </pre>
      </details>
    </>
  );
}

interface Link {
  /** The host as the network asks for it, so `xn--…` if it has letters of other scripts. */
  readonly host: string;
  readonly isOdd: boolean;
  /** Whether the words of a link to it are the address of another host. */
  readonly isHidden: boolean;
}

const maxLinks = 50;

/** The hosts to which the links of a text lead, and those that stand in its words, each once. */
export function linksIn(text: string): Link[] {
  const hosts = new Map<string, boolean>();
  const read = readMarkdown(text);
  const written = bareHostsIn(looseWords(read)).map((host) => ({ target: `http://${host}`, hidden: undefined }));
  for (const { target, hidden } of [...read.links, ...written]) {
    if (hosts.size === maxLinks) break;
    const host = hidden ?? (URL.canParse(target) ? new URL(target).host : '');
    if (host !== '') hosts.set(host, hosts.get(host) || hidden !== undefined);
  }
  return [...hosts].map(([host, isHidden]) => ({
    host,
    isHidden,
    isOdd: looksLikeAnother(domainToUnicode(host.replace(/:\d+$/, ''))),
  }));
}

/** What changed between the texts of a contribution, the newest change first, with both texts side by side. */
export function textChanges(item: ContributionView): Html | undefined {
  const edits = editsOf(item);
  if (edits.length === 0) return undefined;
  const shown = edits.map(({ by, fields, at, reason, before, after }, place) => (
    <details open={place === edits.length - 1}>
      <summary>
        {by === null ? 'Proposed: it waits for the yes of its human' : `By ${by}: ${fields.map(words).join(', ')}`}
      </summary>
      <p class="small">
        {timeOf(at)} {strange(reason ?? '')}
      </p>
      {before === null ? (
        <p>The text before is not kept.</p>
      ) : (
        sideBySide(contributionDifference(before, after), 'before', 'after')
      )}
    </details>
  ));
  return section('changes', 'Changes of the text', shown.reverse());
}

/** Contributions with nearly the same text; nothing without any. */
export function similarTexts({ similar }: ContributionView, filter: QueueFilter): Html | undefined {
  if (similar.length === 0) return undefined;
  return section(
    'similar',
    'Nearly the same text',
    <ul class="history">
      {similar.map(({ id, title, beginning, state, percent, same_human }) => (
        <li>
          {percent} %: {link(id, titleOf({ title, body: beginning }), filter)}
          <span class="small">
            {' '}
            {words(state)}, {same_human ? 'the same human' : 'another human'}
          </span>
        </li>
      ))}
    </ul>,
  );
}

/** What else this human and this agent sent, and how it was decided; nothing without any. */
export function otherWork({ of_human, of_agent }: ContributionView, filter: QueueFilter): Html | undefined {
  const isSame = JSON.stringify(of_human) === JSON.stringify(of_agent);
  const parts = isSame
    ? [workOf('This human, all with this agent', of_human, filter)]
    : [workOf('This human', of_human, filter), workOf('This agent', of_agent, filter)];
  return parts.every((each) => each === undefined) ? undefined : section('work', 'Earlier work', parts);
}

function workOf(whose: string, work: ContributionView['of_human'], filter: QueueFilter): Fragment {
  if (work === null || work.newest.length === 0) return undefined;
  return (
    <>
      <h4>
        {whose}: {work.counts.map(({ state, count }) => `${count} ${words(state)}`).join(', ')}
      </h4>
      <ul class="history">
        {work.newest.map((each) => (
          <li>
            {link(each.id, titleOf({ title: each.title, body: each.beginning }), filter)}
            <span class="small">
              {' '}
              {words(typeOf(each))}, {words(each.state)}
            </span>
            {each.reason !== null && <q>{strange(each.reason)}</q>}
          </li>
        ))}
      </ul>
    </>
  );
}

function link(id: string, title: string, filter: QueueFilter) {
  return <a href={itemPath(id, filter)}>{strange(title)}</a>;
}
