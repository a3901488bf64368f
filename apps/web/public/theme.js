// Runs before the first paint: the stored theme never flashes, and no press is lost.
(function () {
  var choice = 'system';
  try {
    choice = localStorage.getItem('theme') || 'system';
  } catch {
    // Storage can be switched off; the system's theme is then used.
  }
  var dark = choice === 'dark' || (choice !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';

  // Public pages stand in the HTML before their script is there; a button that is pressed until then is kept for it.
  var pressed;
  function keepPress(event) {
    pressed = event.target.closest('button') || undefined;
  }
  addEventListener('click', keepPress);
  window.takeEarlyPress = function () {
    removeEventListener('click', keepPress);
    return pressed;
  };
})();
