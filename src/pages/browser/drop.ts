/** Files dropped on `[data-drop]` are chosen in `[data-drop-files]`; a file that is dropped beside it does not replace the page. */
{
  const box = document.querySelector<HTMLElement>('[data-drop]');
  const chooser = document.querySelector<HTMLInputElement>('[data-drop-files]');
  const holdsFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') === true;
  addEventListener('dragover', (event) => {
    if (!holdsFiles(event)) return;
    event.preventDefault();
    box?.classList.add('dropping');
  });
  addEventListener('dragleave', (event) => {
    if (event.relatedTarget === null) box?.classList.remove('dropping');
  });
  addEventListener('drop', (event) => {
    if (!holdsFiles(event) || chooser === null || event.dataTransfer === null) return;
    event.preventDefault();
    box?.classList.remove('dropping');
    chooser.files = event.dataTransfer.files;
    chooser.focus();
  });
}
