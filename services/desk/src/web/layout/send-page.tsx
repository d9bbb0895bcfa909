import type { Fragment } from '@knowledge/runtime/html';
import type { FastifyReply } from 'fastify';
import { csrfTokenOf } from '../http/csrf.js';
import { page } from './layout.js';

/** What a page shows. */
export interface Shown {
  readonly title: string;
  readonly main: Fragment;
  readonly status?: number;
  /** Goes on to this address at once. */
  readonly onTo?: string | undefined;
}

interface Around {
  /** The page above this one, and its name. */
  readonly back?: readonly [path: string, label: string];
  /** The title as the page shows it, if not as text. */
  readonly heading?: Fragment;
}

/** A page with its title above its content. */
export function titled(title: string, content: Fragment, { back, heading = title }: Around = {}): Shown {
  const main = (
    <>
      {back && (
        <p>
          <a href={back[0]}>{back[1]}</a>
        </p>
      )}
      <h1>{heading}</h1>
      {content}
    </>
  );
  return { title, main };
}

/** Sends a page in the layout of the web desk. */
export function sendPage(reply: FastifyReply, { title, main, status = 200, onTo }: Shown): FastifyReply {
  const { request, server } = reply;
  const path = request.url.replace(/\?.*$/s, '');
  const around = { csrf: csrfTokenOf(reply), staff: request.desk.staff, stylePath: server.stylePath, path };
  return reply
    .code(status)
    .type('text/html; charset=utf-8')
    .send(page({ title, main, onTo, ...around }));
}
