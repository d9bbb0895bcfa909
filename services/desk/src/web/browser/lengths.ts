/** Counts what is typed as the service does: a browser by itself counts some characters twice. */
export function countCharacters(): void {
  document.addEventListener('input', ({ target }) => {
    if (!(target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement)) return;
    const most = Number(target.dataset['most'] ?? Number.POSITIVE_INFINITY);
    const length = [...target.value].length;
    target.setCustomValidity(length > most ? `At most ${most} characters; it has ${length}.` : '');
  });
}
