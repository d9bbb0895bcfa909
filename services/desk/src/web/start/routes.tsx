import type { FastifyInstance } from 'fastify';
import { staffOf } from '../http/session.js';
import { sectionsOf } from '../layout/navigation.js';
import { type Shown, sendPage } from '../layout/send-page.js';

/** Registers the start page, and the page after a sign-in in a new tab. */
export function registerStart(app: FastifyInstance): void {
  app.get('/', async (request, reply) => {
    const { displayName, roles } = staffOf(request);
    const main = (
      <>
        <h1>
          Welcome, <bdi>{displayName}</bdi>
        </h1>
        <p class="soft">
          Your {roles.length === 1 ? 'role' : 'roles'}: {roles.join(', ')}.
        </p>
        <ul class="cards">
          {sectionsOf(roles).map(({ pages, label, about }) => (
            <li>
              <a href={pages[0].path}>{label}</a>
              <p>{about}</p>
            </li>
          ))}
        </ul>
      </>
    );
    return sendPage(reply, { title: 'Start', main });
  });
  app.get('/signed-in', async (_request, reply) => sendPage(reply, signedInAgain));
}

// People sign in again in a tab of its own, while another tab keeps what they typed.
const signedInAgain: Shown = {
  title: 'You are signed in again',
  main: (
    <>
      <h1>You are signed in again</h1>
      <p>Close this tab, and go on in the other one.</p>
    </>
  ),
};
