import type { InterfaceLanguage } from '../../text/interface-language.ts';

/**
 * What ends consent beside the words that a workspace may change, as one table. How it is read stands in `opt-out-keywords.ts`; each row has its cases in
 * `opt-out-cases.ts`. Letters stand without accents, as they are compared.
 */

/** Parts of sentences: the words of a core stand in this order, and everything between and around them is a filler. A sentence with any other word is left alone. */
export type SentenceRules = { cores: readonly string[]; fillers: readonly string[] };

const list = (text: string): string[] =>
  text
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part !== '');
const words = (text: string): string[] => text.trim().split(/\s+/);

export const stopSentences: Readonly<Record<InterfaceLanguage, SentenceRules>> = {
  en: {
    cores: list(`
      unsubscribe; opt out; opt me out; stop sending; stop texting; stop messaging; stop contacting; stop writing; stop spamming; stop bothering;
      stop messages; stop message; stop texts; stop updates; stop promotions; stop ads; stop newsletter; stop it; stop this; stop please;
      quit sending; quit texting; quit messaging; cease sending; no more messages; no more texts; no more ads; no more promotions; no more newsletters; no more marketing;
      do not send; do not text; do not message; do not contact; do not write; don’t send; don’t text; don’t message; don’t contact; don’t write; dont send; dont text;
      dont message; dont contact; never contact; never message; never text; do not want messages; do not want receive; do not want get; do not wish receive; not want messages; don’t want messages; dont want messages; not want receive; don’t want receive;
      dont want receive; not want get messages; no longer wish receive; no longer want receive; not wish receive; don’t wish receive; remove me; remove my number; take me off;
      delete my number; leave me alone; withdraw consent; revoke consent; cancel subscription; end subscription`),
    fillers: words(`
      i we you u ya me us my our your this these those that the a an any all more of from off to for in on at with and or it its be being am is are can could would will want wish like need
      please pls plz kindly just now right immediately today again anymore longer ever further future dear sir madam team hi hello hey thanks thank ok yes
      message messages msg msgs text texts texting sms ad ads advertising advert adverts advertisement advertisements marketing promotion promotions promo promos promotional
      offers newsletter newsletters update updates spam stuff notifications communication communications number phone list lists mailing contact contacts
      receive receiving get getting sending subscription consent such kind automated via here`),
  },
  es: {
    cores: list(`
      no quiero recibir; no quiero mensajes; no quiero publicidad; no quiero promociones; no deseo recibir; no deseo mensajes; no me envien; no me envie; no me envies; no me manden;
      no me mande; no me mandes; no me escriban; no me escriba; no me escribas; no me contacten; no me contacte; no me molesten; no envien mas; no manden mas; no escriban mas;
      dejen de enviar; dejen de enviarme; dejen de mandar; dejen de mandarme; dejen de escribirme; dejen de contactarme; dejen de molestar; dejen de molestarme;
      deje de enviarme; deje de mandarme; deje de escribirme; deja de enviarme; deja de mandarme; deja de escribirme; paren de enviar; paren de mandar; paren de enviarme; paren de mandarme;
      darme de baja; denme de baja; deme de baja; dame de baja; dar de baja; me doy de baja; desuscribirme; desuscribanme; cancelar suscripcion; cancelen suscripcion; anular suscripcion;
      quitenme de lista; quiteme de lista; saquenme de lista; saqueme de lista; eliminenme; eliminen mi numero; borrenme; borren mi numero; quiten mi numero; saquen mi numero;
      no mas mensajes; no mas publicidad; no mas promociones; basta de mensajes; basta de publicidad`),
    fillers: words(`
      yo me mi mis su sus tu tus vuestro vuestros ustedes usted los las el la lo de del un una unos estos estas esta este eso esto esos mensaje mensajes sms publicidad promocion
      promociones oferta ofertas newsletter boletin boletines correo correos spam informacion notificaciones lista listas numero telefono contactos mas nunca ya ahora por favor porfavor porfa
      gracias hola quiero quisiera deseo podrian podria pueden puede favor a que en tipo para recibir enviar ningun ninguno ninguna nada todo todos todas jamas vez difusion suscripcion y`),
  },
  fr: {
    cores: list(`
      ne m’envoyez plus; n’envoyez plus; ne m’envoie plus; ne m’ecrivez plus; ne m’ecris plus; ne me contactez plus; ne me contacter plus; ne m’appelez plus; ne veux plus recevoir; ne veux plus messages;
      ne souhaite plus recevoir; ne souhaite plus messages; ne desire plus recevoir; ne plus recevoir; veux plus recevoir; veux plus messages; ne veux pas recevoir; arretez de m’envoyer; arrete de m’envoyer;
      arretez de m’ecrire; arretez de me contacter; arretez d’envoyer; arretez vos messages; arretez ces messages; arretez les messages; cessez de m’envoyer; cessez de m’ecrire; cessez d’envoyer; stop aux messages;
      stop a la pub; desabonnez moi; desabonne moi; me desabonner; desinscrivez moi; me desinscrire; desinscris moi; retirez moi; enlevez moi; supprimez moi; supprimez mon numero; retirez mon numero;
      enlevez mon numero; effacez mon numero; laissez moi tranquille; plus de messages; plus de pub; plus de publicite; plus de sms; plus de promotions; resilier abonnement`),
    fillers: words(`
      je j’ vous tu me moi nous vos votre tes ton de des du d’ le la les l’ un une ces ce cet cette svp stp merci bonjour bonsoir message messages sms pub pubs publicite publicites
      promotion promotions promo promos offre offres newsletter newsletters notification notifications liste listes diffusion part plus jamais maintenant tout toute tous toutes desormais s’il plait te
      veux voudrais souhaite aimerais desire pouvez peux pourriez mon numero telephone contacts aucun aucune recevoir a par sur et en desabonnement veuillez merci`),
  },
  de: {
    cores: list(`
      keine nachrichten mehr; keine werbung mehr; keine sms mehr; keine weiteren nachrichten; keine mails mehr; mochte keine nachrichten; will keine nachrichten; mochte keine werbung; will keine werbung;
      nicht mehr schreiben; nicht mehr anschreiben; nicht mehr kontaktieren; nicht mehr benachrichtigen; nichts mehr schicken; nichts mehr senden; keine schicken; keine senden; schreibt mir nicht; schreiben sie mir nicht;
      schreib mir nicht; schickt mir keine; schicken sie mir keine; schick mir keine; schickt mir nichts; schicken sie mir nichts; schick mir nichts; sendet mir keine; senden sie mir keine; sendet mir nichts;
      senden sie mir nichts; hort auf; horen sie auf; hor auf; mich abmelden; melden sie mich ab; meldet mich ab; melde mich ab; mich austragen; tragen sie mich aus; tragt mich aus; trag mich aus;
      nehmen sie mich aus; nehmt mich aus; nehmen sie mich von; nehmt mich von; streichen sie mich; streicht mich; loschen sie meine nummer; loscht meine nummer; newsletter abbestellen; newsletter abmelden;
      werbung abbestellen; nachrichten abbestellen; nachrichten abmelden; lasst mich in ruhe; lassen sie mich in ruhe; widerrufe einwilligung; widerspreche werbung; stoppen sie nachrichten; stoppt nachrichten; stoppen sie werbung`),
    fillers: words(`
      ich ihr sie du mir mich wir uns euch eure euren eurer eurem ihre ihren ihrer ihrem dein deine deiner deinem deinen meine meiner meinen der die das den dem des ein eine einen von vom aus auf an zu zum zur in im bitte danke vielen
      hallo moin guten tag servus mochte will wurde kann konnen konnt konntet konnten gerne hiermit ab sofort jetzt kunftig zukunft mehr weitere weiteren nie wieder keine keinen nachricht nachrichten sms 
      werbung werbenachrichten newsletter mails angebote aktionen infos spam liste verteiler nummer telefonnummer handynummer kontaktliste kontakt schicken senden schreiben zu erhalten bekommen und diese dieser dieses solche so mit damit
      einwilligung`),
  },
  pt: {
    cores: list(`
      nao quero receber; nao quero mais receber; nao quero mensagens; nao quero mais mensagens; nao quero propaganda; nao quero promocoes; nao desejo receber; nao desejo mais; nao gostaria de receber; nao me envie;
      nao me enviem; nao me envia; nao envie mais; nao enviem mais; nao me mande; nao me mandem; nao me manda; nao mande mais; nao mandem mais; nao me escrevam; nao me escreva; nao me contate; nao me contatem;
      nao me contactem; nao entrem em contato; nao entre em contato; pare de enviar; parem de enviar; para de enviar; pare de me enviar; parem de me enviar; pare de mandar; parem de mandar; para de mandar;
      pare de me mandar; parem de me mandar; para de me mandar; deixem de enviar; deixe de enviar; deixem de me enviar; me tire da lista; me tira da lista; me tirem da lista; sair da lista; me remova; me removam;
      remova meu numero; remover meu numero; removam meu numero; retirem meu numero; retire meu numero; excluam meu numero; exclua meu numero; me descadastrar; me descadastre; me descadastrem; descadastrar;
      cancelar inscricao; cancelem inscricao; chega de mensagens; chega de propaganda; me deixem em paz; me deixa em paz`),
    fillers: words(`
      eu voce voces vcs vc me mim meu minha seu sua seus suas o a os as um uma de do da dos das em no na nas nos essas esses essa esse este esta estes estas isto isso mensagem mensagens msg msgs sms zap
      propaganda propagandas promocao promocoes oferta ofertas publicidade spam lista numero telefone contatos mais nunca agora ja por favor pf pfv obrigado obrigada ola oi bom dia quero gostaria desejo
      pode podem poderia poderiam nenhuma nenhum nada todas receber enviar mandar newsletter notificacoes transmissao e`),
  },
};

/** Whole messages in other languages, by the code of the language. What means something else in one of them, such as `red` or `dur` elsewhere, stands nowhere. */
export const otherStopWords: Readonly<Record<string, readonly string[]>> = {
  it: list(`basta; disiscrivi; disiscrivimi; disiscrivetemi; disiscrizione; cancellami; cancellatemi; cancella iscrizione; annulla iscrizione; rimuovimi; rimuovetemi; non voglio piu messaggi; non voglio piu ricevere messaggi;
    non scrivetemi piu; non mandatemi piu messaggi; basta messaggi; smettetela; smettetela di scrivermi`),
  nl: list(`afmelden; uitschrijven; afmelding; stoppen; meld me af; meld mij af; schrijf me uit; schrijf mij uit; geen berichten meer; geen reclame meer; ik wil geen berichten meer; ik wil me afmelden; stop met berichten;
    stop met appen; stuur me geen berichten meer`),
  sv: list(
    'avsluta; avregistrera; avregistrera mig; sluta; sluta skicka; avanmal; avanmal mig; inga fler meddelanden; stoppa',
  ),
  da: list('afmeld; afmeld mig; frameld; frameld mig; ingen flere beskeder; stop beskeder'),
  nb: list('avmeld; meld meg av; avslutt; ikke send flere meldinger; ingen flere meldinger'),
  fi: list('lopeta; peruuta tilaus; peru tilaus; poista minut; ei enaa viesteja; lopettakaa'),
  pl: list(`wypisz; wypisz mnie; wypisuje sie; rezygnuje; anuluj subskrypcje; koniec; nie wysylaj wiecej; nie wysylajcie wiecej; nie chce wiecej wiadomosci; nie chce wiadomosci; prosze o wypisanie; przestancie;
    prosze nie pisac; usun moj numer; usuncie moj numer`),
  cs: list(
    'odhlasit; odhlasit se; odhlaste me; zrusit odber; konec; nechci zpravy; neposilejte; uz neposilejte; prestante',
  ),
  sk: list('odhlasit sa; odhlaste ma; zrusit odber; koniec; nechcem spravy; neposielajte'),
  hu: list(
    'leiratkozas; leiratkozom; leiratkozni; ne kuldj tobb uzenetet; ne kuldjenek tobb uzenetet; torlom magam',
  ),
  ro: list(
    'dezabonare; dezaboneaza ma; dezabonati ma; ma dezabonez; nu mai vreau mesaje; nu mai trimiteti mesaje; opreste; opriti',
  ),
  hr: list(
    'odjava; odjavi; odjavi me; odjavite me; prestani; prestanite; ne zelim poruke; ne saljite poruke; прекини; одјава; одјави ме',
  ),
  sl: list('odjava; odjavi me; odjavite me; nehajte'),
  bg: list('стоп; отпиши; отпиши ме; отпишете ме; отписване; спри; спрете'),
  ru: list(`стоп; отписаться; отписка; отпишите; отпишите меня; отпиши меня; отписать; хватит; прекратите; не пишите; не пишите мне; не пишите больше; не пишите мне больше; больше не пишите; больше не пишите мне;
    не присылайте; не присылайте больше; не присылайте мне сообщения; удалите меня; удалите мой номер; отказ от рассылки; отказаться от рассылки; хочу отписаться; прошу отписать меня; не хочу получать сообщения;
    уберите меня из рассылки; отключить рассылку`),
  uk: list(
    `відписатися; відписатись; відпишіть; відпишіть мене; відписка; не пишіть; не пишіть мені; не пишіть більше; більше не пишіть; не надсилайте; припиніть; досить; хочу відписатися; видаліть мене`,
  ),
  el: list('διαγραφη; απεγγραφη; διακοπη; σταματηστε; σταματα; στοπ; μην στελνετε; διαγραψτε με'),
  tr: list(`dur; durdur; durdurun; iptal; abonelik iptal; abonelikten cik; abonelikten cikmak istiyorum; uyelik iptal; mesaj istemiyorum; mesaj almak istemiyorum; listeden cikar; listeden cikarin; beni listeden cikarin;
    mesaj atmayin; mesaj gondermeyin; artik mesaj gondermeyin; kaydimi silin; cikis`),
  az: list('dayan; dayandir; legv et; abuneliyi legv et; mesaj gondermeyin'),
  ar: list(`الغاء; الغاء الاشتراك; الغاء اشتراك; الغاء اشتراكي; توقف; توقفوا; وقف; اوقف; اوقفوا; ايقاف; قف; ايقاف الرسائل; اوقفوا الرسائل; لا ترسل; لا ترسلوا; لا ترسلوا لي رسائل; لا اريد رسائل; لا اريد استلام رسائل; لا اريد المزيد من الرسائل; كفي;
    احذف رقمي; احذفوا رقمي; ارجو الغاء الاشتراك; اريد الغاء الاشتراك; ستوب`),
  fa: list('لغو; لغو اشتراک; لغو عضویت; توقف; پیام ندهید; پیام نفرستید; دیگر پیام ندهید'),
  ur: list('بند کرو; بند کریں; پیغام نہ بھیجیں; میسج نہ کریں'),
  he: list(
    'הסר; הסרה; הסירו; הסירו אותי; תסירו אותי; הסר אותי; הסרה מרשימת תפוצה; להסיר; תפסיקו; הפסק; הפסיקו; עצור; אל תשלחו; אל תשלחו לי הודעות; בטל מנוי',
  ),
  hi: list(
    'बंद; बंद करो; बंद करें; बंद कर दो; बंद कीजिए; रोको; रोकें; रुको; मैसेज मत भेजो; मैसेज बंद करो; संदेश मत भेजो; संदेश न भेजें; सदस्यता रद्द करें; स्टॉप; band karo; message band karo; msg band karo; message mat bhejo; msg mat karo; mat bhejo',
  ),
  bn: list('বন্ধ; বন্ধ করুন; বন্ধ করো; মেসেজ পাঠাবেন না; স্টপ'),
  ta: list('நிறுத்து; நிறுத்தவும்; நிறுத்துங்கள்; செய்தி அனுப்ப வேண்டாம்'),
  te: list('ఆపు; ఆపండి; సందేశాలు పంపవద్దు'),
  mr: list('बंद करा; थांबवा; मेसेज पाठवू नका'),
  gu: list('બંધ; બંધ કરો; મેસેજ ન મોકલો'),
  id: list(`berhenti; berhenti langganan; berhenti berlangganan; hentikan; hentikan pesan; stop pesan; jangan kirim lagi; jangan kirim pesan lagi; jangan kirim pesan; jangan hubungi saya; jangan hubungi saya lagi; unreg; batalkan langganan;
    hapus nomor saya; tidak mau terima pesan; saya tidak mau menerima pesan lagi; saya mau berhenti; saya mau berhenti langganan`),
  ms: list(
    'henti; hentikan; berhenti; batal langganan; jangan hantar mesej; jangan hantar lagi; jangan hubungi saya',
  ),
  tl: list('tigil; itigil; itigil na; ihinto; huminto; tama na; huwag na magpadala; ayaw ko na ng mensahe'),
  vi: list(
    'ngung; ngung gui; ngung nhan tin; huy đang ky; huy nhan tin; đung gui nua; đung nhan tin nua; khong nhan tin nua; tu choi nhan tin',
  ),
  th: list(
    'หยุด; หยุดส่ง; หยุดส่งข้อความ; ยกเลิก; ยกเลิกรับข่าวสาร; ยกเลิกการรับข่าวสาร; ยกเลิกการรับข้อความ; เลิกรับข่าวสาร; ไม่รับข่าวสาร; ไม่ต้องส่งมา; ไม่ต้องส่งมาอีก; อย่าส่งมาอีก',
  ),
  zh: list(
    '退订; 退訂; td; 停止; 停; 停止发送; 停止發送; 停止接收; 取消订阅; 取消訂閱; 我要退订; 我要退訂; 不要再发; 不要再發; 不要再发了; 不要再發了; 不要再发信息; 不要再發訊息; 请不要再发; 請不要再發; 别发了; 別發了; 别再发了; 別再發了; 拒收; 拒绝接收; 拒絕接收; 不想再收到信息; 不想再收到訊息',
  ),
  ja: list(
    '停止; 配信停止; 配信を停止; 配信停止してください; 配信を停止してください; 配信停止希望; 解除; 登録解除; 配信解除; 退会; やめて; やめてください; 止めて; 止めてください; 送らないで; 送らないでください; もう送らないでください; ストップ; メッセージを送らないでください',
  ),
  ko: list(
    '수신거부; 수신 거부; 수신거부합니다; 거부; 중지; 그만; 그만 보내세요; 그만보내세요; 보내지 마세요; 보내지마세요; 해지; 구독취소; 구독 취소; 구독해지; 메시지 보내지 마세요; 스톱; 정지',
  ),
  sw: list('simama; simamisha; jiondoe; ondoa namba yangu; usitume tena; acha kutuma'),
  af: list('staak; hou op; verwyder my; geen boodskappe meer'),
  ca: list(
    'atura; atureu; prou; donar me de baixa; doneu me de baixa; baixa; no vull mes missatges; cancel·lar subscripcio; no m’envieu mes missatges',
  ),
  gl: list('deter; darme de baixa; non quero mais mensaxes'),
  eu: list('gelditu; baja eman; ez bidali gehiago'),
};

/** What people add out of politeness in these languages. */
export const otherCourtesies: readonly string[] = list(`
  per favore; per piacere; grazie; grazie mille; ciao; buongiorno; alsjeblieft; alstublieft; aub; bedankt; dank u; dank je; hoi; tack; hej; tak; takk; vennligst; kiitos; moi; prosze; dziekuje; czesc; dzien dobry;
  prosim; dekuji; dekuju; dakujem; dobry den; ahoj; kerem; koszonom; koszi; szia; va rog; te rog; multumesc; buna; buna ziua; molim; molim vas; hvala; пожалуйста; спасибо; здравствуйте; привет; будь ласка; дякую; вітаю;
  моля; благодаря; παρακαλω; ευχαριστω; γεια; γεια σας; lutfen; tesekkurler; tesekkur ederim; merhaba; selam; من فضلك; من فضلكم; رجاء; لو سمحت; لو سمحتم; شكرا; شكرا لكم; مرحبا; السلام عليكم; لطفا; ممنون; بليز; בבקשה; תודה; שלום; कृपया; धन्यवाद; नमस्ते; प्लीज;
  tolong; mohon; terima kasih; makasih; halo; min; kak; ya; sila; salamat; paki; po; xin; lam on; vui long; cam on; 请; 請; 谢谢; 謝謝; 你好; 您好; お願いします; ありがとう; ありがとうございます; すみません; 부탁합니다; 부탁드립니다; 감사합니다; 안녕하세요; tafadhali; asante; assalamu alaikum; sil vous plait; mercii; gracies; si us plau`);
