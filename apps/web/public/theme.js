// Runs before the first paint: the stored theme never flashes, and no press is lost.
(function () {
  var systemDark = matchMedia('(prefers-color-scheme: dark)');
  function applyTheme() {
    var choice = 'system';
    try {
      choice = localStorage.getItem('theme') || 'system';
    } catch {
      // Storage can be switched off; the system's theme is then used.
    }
    var dark = choice === 'dark' || (choice !== 'light' && systemDark.matches);
    document.documentElement.dataset.theme = dark ? 'dark' : 'light';
  }
  applyTheme();
  // Here and not in a part of the app that is loaded when somebody asks for it.
  systemDark.addEventListener('change', applyTheme);

  // The first thing that the dashboard asks for, in the workspace of this tab (`tab-workspace.ts`).
  if (location.pathname.indexOf('/dashboard') === 0) {
    var workspace = new URLSearchParams(location.search).get('workspace');
    try {
      workspace ||= (
        sessionStorage.getItem('workspace') ||
        localStorage.getItem('offline.workspace') ||
        ''
      ).split(':')[0];
    } catch {
      // Without storage it is where the person is in the longest.
    }
    var link = document.createElement('link');
    link.rel = 'preload';
    link.as = 'fetch';
    link.crossOrigin = '';
    link.href = '/api/session' + (workspace ? '?workspace=' + encodeURIComponent(workspace) : '');
    document.head.append(link);
  }

  // A page stands in the HTML before its script is there; a press until then is kept for it.
  var early;
  function keep(event) {
    var isPalette =
      event.type === 'keydown' &&
      (event.ctrlKey || event.metaKey) &&
      event.key.toLowerCase() === 'k' &&
      location.pathname.indexOf('/dashboard') === 0;
    // The browser would open a search of its own.
    if (isPalette) event.preventDefault();
    if (isPalette || (event.type === 'click' && event.target.closest('button'))) early = event;
  }
  addEventListener('click', keep);
  addEventListener('keydown', keep);
  window.takeEarlyPress = function () {
    removeEventListener('click', keep);
    removeEventListener('keydown', keep);
    return early;
  };
})();
