import { bounds } from '@knowledge/runtime/product';
import { type LimitView, limitValue } from '../../present/limit.js';
import { limitWords } from '../../present/limit-words.js';
import { buttonRow, linkButton } from '../forms/buttons.js';
import { csrfField } from '../forms/csrf-field.js';
import { textField } from '../forms/fields.js';
import { type FormFaults, fieldsOf } from '../forms/form-values.js';
import { isRefused, refusal } from '../forms/text-form.js';
import type { Shown } from '../layout/send-page.js';
import { facts, strange, timeOf } from '../layout/values.js';
import { limitsPath } from './limits-page.js';

type CeilingField = 'units' | 'reason';

/** A ceiling and the form that sets it. */
export interface CeilingView {
  readonly limit: LimitView;
  readonly ceiling: NonNullable<LimitView['ceiling']>;
  readonly form: Readonly<Record<CeilingField, string>>;
  readonly faults: FormFaults<CeilingField>;
}

/** The value of one ceiling, who set it, and a form for another value. */
export function ceilingPage({ limit, ceiling, form, faults }: CeilingView, csrf: string): Shown {
  const field = fieldsOf(form, faults);
  const title = `Limit: ${limitWords(limit.policy)}`;
  const main = (
    <>
      <p>
        <a href={limitsPath}>All limits</a>
      </p>
      <h1>{title}</h1>
      {facts({
        Now: limitValue(limit.limit),
        'Set by': ceiling.set_by === null ? 'the configuration' : strange(ceiling.set_by),
        Set: timeOf(ceiling.set_at),
        Why: strange(ceiling.reason),
        Configuration: limitValue(ceiling.configured),
      })}
      <p class="soft">
        Many people can share one IP address or one mail domain, such as a company. Who is over a new limit waits for
        the next window. It holds everywhere within 10 seconds, also after a restart, until somebody sets another one.
      </p>
      {refusal(faults)}
      <form class="fields" method="post" action={`${limitsPath}/${limit.policy}`}>
        {csrfField(csrf)}
        {textField({ ...field('units', 'Limit', 'A whole number; 0 is off.'), inputmode: 'numeric', required: true })}
        {textField({
          ...field('reason', 'Reason', 'Stored with your name.'),
          maxlength: bounds.reason.max,
          required: true,
        })}
        {buttonRow(
          <button class="main" name="act" value="set">
            Set the limit
          </button>,
          ceiling.set_by !== null && (
            <button name="act" value="restore">
              Back to the configuration: {limitValue(ceiling.configured)}
            </button>
          ),
          linkButton(limitsPath, 'Cancel'),
        )}
      </form>
    </>
  );
  return { title, main, status: isRefused(faults) ? 422 : 200 };
}
