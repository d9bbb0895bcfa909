import type { FastifyInstance } from 'fastify';
import { staffOf } from '../http/session.js';
import { sectionsOf } from '../layout/navigation.js';
import { sendPage } from '../layout/send-page.js';

/** Registers the start page: what the staff member may do here. */
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
          {sectionsOf(roles).map(({ path, label, about }) => (
            <li>
              <a href={path}>{label}</a>
              <p>{about}</p>
            </li>
          ))}
        </ul>
      </>
    );
    return sendPage(reply, { title: 'Start', main });
  });
}
