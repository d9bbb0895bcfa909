import { domainToUnicode } from 'node:url';
import { withoutHiddenCharacters } from '@knowledge/runtime/hidden-characters';
import { type Html, languageTag } from '@knowledge/runtime/html';
import { looseWords, type RenderedText, type RenderMarkdown, readMarkdown } from '@knowledge/runtime/markdown';
import { bareHostsIn, looksLikeAnother } from '@knowledge/runtime/names';
import type { ContributionView } from '../../present/contribution.js';
import { segmentsOf } from '../../present/odd-characters.js';
import { marked } from '../layout/values.js';

/** The text of a contribution as readers would get it. */
export function renderedText({ title, body, language }: ContributionView, markdown: RenderMarkdown): RenderedText {
  const fields = { title: title ?? '', language: language ?? '', lowered: 2 };
  return markdown(withoutHiddenCharacters(body), fields);
}

/** The text of a contribution three times: as people get it, as models get it, and as it was sent. */
export function texts({ title, name, body, language }: ContributionView, shown: RenderedText): Html {
  const cleaned = withoutHiddenCharacters(body);
  const sent = [
    ['Title', title],
    ['Name', name],
    ['Text', body],
  ] as const;
  const isOdd = sent.some(([, text]) => segmentsOf(text ?? '').some((each) => 'code' in each));
  const links = linksIn(cleaned);
  return (
    <>
      <section aria-labelledby="people-title">
        <h3 id="people-title">As people get it</h3>
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
      </section>
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
