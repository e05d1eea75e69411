// Sortable tables: pressing the heading of a column sorts by it, and pressing it again reverses
// the order. Empty cells stay last. Some columns also show their numbers as bars.

// numberIn returns the number at the start of a cell, or NaN if there is none.
function numberIn(cell) {
  return parseFloat(cell.textContent.replaceAll(',', ''));
}

function compareCells(a, b, numeric) {
  if (numeric) return numberIn(a) - numberIn(b);
  return a.textContent < b.textContent ? -1 : a.textContent > b.textContent ? 1 : 0;
}

function sortBy(table, column, descending) {
  const rows = [...table.tBodies[0].rows];
  const filled = rows.filter((row) => row.cells[column].textContent !== '');
  const numeric = filled.every((row) => !Number.isNaN(numberIn(row.cells[column])));
  const sign = descending ? -1 : 1;
  filled.sort((a, b) => sign * compareCells(a.cells[column], b.cells[column], numeric));
  const empty = rows.filter((row) => row.cells[column].textContent === '');
  table.tBodies[0].append(...filled, ...empty);
}

function makeSortable(table) {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.append(...head.childNodes); // the child nodes include the places where a long name may break
    if (!button.textContent) button.textContent = 'what';
    head.replaceChildren(button);
    button.addEventListener('click', () => {
      // The first press sorts the column of names, the first one, in ascending order, and any other
      // column in descending order.
      const before = head.getAttribute('aria-sort');
      const descending = before === null ? column > 0 : before === 'ascending';
      heads.forEach((other) => other.removeAttribute('aria-sort'));
      head.setAttribute('aria-sort', descending ? 'descending' : 'ascending');
      sortBy(table, column, descending);
    });
  });
}

function showBars(table) {
  for (const column of (table.dataset.bars ?? '').split(' ').filter(Boolean)) {
    const cells = [...table.tBodies[0].rows].map((row) => row.cells[column]);
    const most = Math.max(...cells.map((cell) => numberIn(cell) || 0));
    for (const cell of cells) {
      cell.classList.add('bar');
      cell.style.setProperty('--share', most > 0 ? (numberIn(cell) || 0) / most : 0);
    }
  }
}

function startTables() {
  for (const table of document.querySelectorAll('table')) {
    if (table.tBodies[0].rows.length > 1) makeSortable(table);
    showBars(table);
  }
}

