//! Number and date formats of languages: one table for server and browser. A chart's option contains the entry that it needs.
//! The values follow CLDR (read from a JavaScript engine's `Intl`), reduced to what charts and tables show.

use serde::Serialize;

/// The formats of a language.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Locale {
    /// The primary language subtag.
    pub language: &'static str,
    /// The decimal separator.
    pub decimal: &'static str,
    /// The thousands separator.
    pub group: &'static str,
    /// The smallest number with a thousands separator.
    pub group_from: f64,
    /// The text between a number and its percent sign.
    pub percent_gap: &'static str,
    /// Whether the currency symbol comes before the number.
    pub currency_first: bool,
    /// The text between a currency symbol and the number.
    pub currency_gap: &'static str,
    /// The abbreviations of powers of ten, in ascending order.
    pub compact: &'static [(i32, &'static str)],
    /// The short names of the months, separated by `|`.
    pub short_months: &'static str,
    /// The long names of the months, separated by `|`.
    pub long_months: &'static str,
    /// The short names of the weekdays from Sunday on, separated by `|`.
    pub weekdays: &'static str,
    /// The format of a date without its year: `{d}` day, `{n}` month as a number, `{s}` short and `{l}` long name, `{y}` year.
    pub day: &'static str,
    /// The format of a date with its year.
    pub date: &'static str,
    /// The format of a month with its year.
    pub month: &'static str,
    /// Whether times are `2:30 PM` instead of `14:30`.
    pub twelve_hours: bool,
}

impl Locale {
    /// The formats for a BCP 47 tag. English for an unlisted language.
    #[must_use]
    pub fn of(tag: &str) -> Self {
        let mut parts = tag.split(['-', '_']);
        let language = parts.next().unwrap_or_default().to_ascii_lowercase();
        let language = if language == "no" || language == "nn" { "nb" } else { &language };
        let region = parts.find(|part| part.len() == 2 || part.len() == 3).unwrap_or_default().to_ascii_uppercase();
        let mut locale = LOCALES.iter().find(|locale| locale.language == language).copied().unwrap_or(LOCALES[0]);
        match (language, region.as_str()) {
            ("en", "" | "US" | "CA" | "PH") => {}
            ("en", _) => {
                locale.day = "{d} {s}";
                locale.date = "{d} {s} {y}";
                locale.twelve_hours = false;
            }
            ("de", "CH" | "LI") => (locale.decimal, locale.group) = (".", "’"),
            ("es", "MX" | "US" | "419") => (locale.decimal, locale.group, locale.group_from) = (".", ",", 1000.0),
            _ => {}
        }
        locale
    }

    /// The short name of a month, from 1.
    #[must_use]
    pub fn short_month(&self, month: u32) -> &'static str {
        self.short_months.split('|').nth(month.saturating_sub(1) as usize).unwrap_or_default()
    }

    /// The long name of a month, from 1.
    #[must_use]
    pub fn long_month(&self, month: u32) -> &'static str {
        self.long_months.split('|').nth(month.saturating_sub(1) as usize).unwrap_or_default()
    }
}

/// Whether a language is written from right to left, given its BCP 47 tag. A script in the tag decides.
#[must_use]
pub fn is_right_to_left(tag: &str) -> bool {
    let tag = tag.to_ascii_lowercase();
    let mut parts = tag.split(['-', '_']);
    let language = parts.next().unwrap_or_default();
    match parts.next().filter(|script| script.len() == 4) {
        Some(script) => ["arab", "aran", "hebr", "thaa", "syrc", "nkoo", "adlm", "rohg"].contains(&script),
        None => ["ar", "he", "iw", "fa", "ur", "ps", "sd", "ug", "yi", "ji", "dv", "ckb", "syr", "nqo", "arz", "azb"]
            .contains(&language),
    }
}

/// The abbreviations that English and other languages share.
const SHORT: &[(i32, &str)] = &[(3, "K"), (6, "M"), (9, "B"), (12, "T")];

// Right-to-left languages use Latin digits, as on axes, and a direction mark before the day, which keeps it next to its month.
const LOCALES: [Locale; 22] = [
    Locale {
        language: "en",
        decimal: ".",
        group: ",",
        group_from: 1000.0,
        percent_gap: "",
        currency_first: true,
        currency_gap: "",
        compact: SHORT,
        short_months: "Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec",
        long_months: "January|February|March|April|May|June|July|August|September|October|November|December",
        weekdays: "Sun|Mon|Tue|Wed|Thu|Fri|Sat",
        day: "{s} {d}",
        date: "{s} {d}, {y}",
        month: "{l} {y}",
        twelve_hours: true,
    },
    Locale {
        language: "de",
        decimal: ",",
        group: ".",
        group_from: 1000.0,
        percent_gap: "\u{a0}",
        currency_first: false,
        currency_gap: "\u{a0}",
        compact: &[(6, "\u{a0}Mio."), (9, "\u{a0}Mrd."), (12, "\u{a0}Bio.")],
        short_months: "Jan|Feb|Mär|Apr|Mai|Jun|Jul|Aug|Sep|Okt|Nov|Dez",
        long_months: "Januar|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember",
        weekdays: "So|Mo|Di|Mi|Do|Fr|Sa",
        day: "{d}. {s}",
        date: "{d}. {s} {y}",
        month: "{l} {y}",
        twelve_hours: false,
    },
    Locale {
        language: "fr",
        decimal: ",",
        group: "\u{202f}",
        group_from: 1000.0,
        percent_gap: "\u{a0}",
        currency_first: false,
        currency_gap: "\u{a0}",
        compact: &[(3, "\u{a0}k"), (6, "\u{a0}M"), (9, "\u{a0}Md"), (12, "\u{a0}Bn")],
        short_months: "janv.|févr.|mars|avr.|mai|juin|juil.|août|sept.|oct.|nov.|déc.",
        long_months: "janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre",
        weekdays: "dim.|lun.|mar.|mer.|jeu.|ven.|sam.",
        day: "{d} {s}",
        date: "{d} {s} {y}",
        month: "{l} {y}",
        twelve_hours: false,
    },
    Locale {
        language: "es",
        decimal: ",",
        group: ".",
        group_from: 10000.0,
        percent_gap: "\u{a0}",
        currency_first: false,
        currency_gap: "\u{a0}",
        compact: &[(3, "\u{a0}mil"), (6, "\u{a0}M"), (12, "\u{a0}B")],
        short_months: "ene|feb|mar|abr|may|jun|jul|ago|sept|oct|nov|dic",
        long_months: "enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre",
        weekdays: "dom|lun|mar|mié|jue|vie|sáb",
        day: "{d} {s}",
        date: "{d} {s} {y}",
        month: "{l} de {y}",
        twelve_hours: false,
    },
    Locale {
        language: "it",
        decimal: ",",
        group: ".",
        group_from: 10000.0,
        percent_gap: "",
        currency_first: false,
        currency_gap: "\u{a0}",
        compact: &[(3, "K"), (6, "\u{a0}Mln"), (9, "\u{a0}Mld"), (12, "\u{a0}Bln")],
        short_months: "gen|feb|mar|apr|mag|giu|lug|ago|set|ott|nov|dic",
        long_months: "gennaio|febbraio|marzo|aprile|maggio|giugno|luglio|agosto|settembre|ottobre|novembre|dicembre",
        weekdays: "dom|lun|mar|mer|gio|ven|sab",
        day: "{d} {s}",
        date: "{d} {s} {y}",
        month: "{l} {y}",
        twelve_hours: false,
    },
    Locale {
        language: "pt",
        decimal: ",",
        group: ".",
        group_from: 1000.0,
        percent_gap: "",
        currency_first: true,
        currency_gap: "\u{a0}",
        compact: &[(3, "\u{a0}mil"), (6, "\u{a0}mi"), (9, "\u{a0}bi"), (12, "\u{a0}tri")],
        short_months: "jan.|fev.|mar.|abr.|mai.|jun.|jul.|ago.|set.|out.|nov.|dez.",
        long_months: "janeiro|fevereiro|março|abril|maio|junho|julho|agosto|setembro|outubro|novembro|dezembro",
        weekdays: "dom.|seg.|ter.|qua.|qui.|sex.|sáb.",
        day: "{d} de {s}",
        date: "{d} de {s} de {y}",
        month: "{l} de {y}",
        twelve_hours: false,
    },
    Locale {
        language: "nl",
        decimal: ",",
        group: ".",
        group_from: 1000.0,
        percent_gap: "",
        currency_first: true,
        currency_gap: "\u{a0}",
        compact: &[(3, "K"), (6, "\u{a0}mln."), (9, "\u{a0}mld."), (12, "\u{a0}bln.")],
        short_months: "jan|feb|mrt|apr|mei|jun|jul|aug|sep|okt|nov|dec",
        long_months: "januari|februari|maart|april|mei|juni|juli|augustus|september|oktober|november|december",
        weekdays: "zo|ma|di|wo|do|vr|za",
        day: "{d} {s}",
        date: "{d} {s} {y}",
        month: "{l} {y}",
        twelve_hours: false,
    },
    Locale {
        language: "sv",
        decimal: ",",
        group: "\u{a0}",
        group_from: 1000.0,
        percent_gap: "\u{a0}",
        currency_first: false,
        currency_gap: "\u{a0}",
        compact: &[(3, "\u{a0}tn"), (6, "\u{a0}mn"), (9, "\u{a0}md"), (12, "\u{a0}bn")],
        short_months: "jan.|feb.|mars|apr.|maj|juni|juli|aug.|sep.|okt.|nov.|dec.",
        long_months: "januari|februari|mars|april|maj|juni|juli|augusti|september|oktober|november|december",
        weekdays: "sön|mån|tis|ons|tors|fre|lör",
        day: "{d} {s}",
        date: "{d} {s} {y}",
        month: "{l} {y}",
        twelve_hours: false,
    },
    Locale {
        language: "da",
        decimal: ",",
        group: ".",
        group_from: 1000.0,
        percent_gap: "\u{a0}",
        currency_first: false,
        currency_gap: "\u{a0}",
        compact: &[(3, "\u{a0}t"), (6, "\u{a0}mio."), (9, "\u{a0}mia."), (12, "\u{a0}bio.")],
        short_months: "jan.|feb.|mar.|apr.|maj|jun.|jul.|aug.|sep.|okt.|nov.|dec.",
        long_months: "januar|februar|marts|april|maj|juni|juli|august|september|oktober|november|december",
        weekdays: "søn.|man.|tirs.|ons.|tors.|fre.|lør.",
        day: "{d}. {s}",
        date: "{d}. {s} {y}",
        month: "{l} {y}",
        twelve_hours: false,
    },
    Locale {
        language: "nb",
        decimal: ",",
        group: "\u{a0}",
        group_from: 1000.0,
        percent_gap: "\u{a0}",
        currency_first: false,
        currency_gap: "\u{a0}",
        compact: &[(3, "k"), (6, "\u{a0}mill."), (9, "\u{a0}mrd."), (12, "\u{a0}bill.")],
        short_months: "jan|feb|mar|apr|mai|jun|jul|aug|sep|okt|nov|des",
        long_months: "januar|februar|mars|april|mai|juni|juli|august|september|oktober|november|desember",
        weekdays: "søn.|man.|tir.|ons.|tor.|fre.|lør.",
        day: "{d}. {s}",
        date: "{d}. {s} {y}",
        month: "{l} {y}",
        twelve_hours: false,
    },
    Locale {
        language: "fi",
        decimal: ",",
        group: "\u{a0}",
        group_from: 1000.0,
        percent_gap: "\u{a0}",
        currency_first: false,
        currency_gap: "\u{a0}",
        compact: &[(3, "\u{a0}t."), (6, "\u{a0}milj."), (9, "\u{a0}mrd."), (12, "\u{a0}bilj.")],
        short_months: "tammi|helmi|maalis|huhti|touko|kesä|heinä|elo|syys|loka|marras|joulu",
        long_months: "tammikuu|helmikuu|maaliskuu|huhtikuu|toukokuu|kesäkuu|heinäkuu|elokuu|syyskuu|lokakuu|marraskuu|joulukuu",
        weekdays: "su|ma|ti|ke|to|pe|la",
        day: "{d}.{n}.",
        date: "{d}.{n}.{y}",
        month: "{l} {y}",
        twelve_hours: false,
    },
    Locale {
        language: "pl",
        decimal: ",",
        group: "\u{a0}",
        group_from: 10000.0,
        percent_gap: "",
        currency_first: false,
        currency_gap: "\u{a0}",
        compact: &[(3, "\u{a0}tys."), (6, "\u{a0}mln"), (9, "\u{a0}mld"), (12, "\u{a0}bln")],
        short_months: "sty|lut|mar|kwi|maj|cze|lip|sie|wrz|paź|lis|gru",
        long_months: "styczeń|luty|marzec|kwiecień|maj|czerwiec|lipiec|sierpień|wrzesień|październik|listopad|grudzień",
        weekdays: "niedz.|pon.|wt.|śr.|czw.|pt.|sob.",
        day: "{d} {s}",
        date: "{d} {s} {y}",
        month: "{l} {y}",
        twelve_hours: false,
    },
    Locale {
        language: "cs",
        decimal: ",",
        group: "\u{a0}",
        group_from: 1000.0,
        percent_gap: "\u{a0}",
        currency_first: false,
        currency_gap: "\u{a0}",
        compact: &[(3, "\u{a0}tis."), (6, "\u{a0}mil."), (9, "\u{a0}mld."), (12, "\u{a0}bil.")],
        short_months: "led|úno|bře|dub|kvě|čvn|čvc|srp|zář|říj|lis|pro",
        long_months: "leden|únor|březen|duben|květen|červen|červenec|srpen|září|říjen|listopad|prosinec",
        weekdays: "ne|po|út|st|čt|pá|so",
        day: "{d}. {n}.",
        date: "{d}. {n}. {y}",
        month: "{l} {y}",
        twelve_hours: false,
    },
    Locale {
        language: "uk",
        decimal: ",",
        group: "\u{a0}",
        group_from: 1000.0,
        percent_gap: "",
        currency_first: false,
        currency_gap: "\u{a0}",
        compact: &[(3, "\u{a0}тис."), (6, "\u{a0}млн"), (9, "\u{a0}млрд"), (12, "\u{a0}трлн")],
        short_months: "січ.|лют.|бер.|квіт.|трав.|черв.|лип.|серп.|вер.|жовт.|лист.|груд.",
        long_months: "січень|лютий|березень|квітень|травень|червень|липень|серпень|вересень|жовтень|листопад|грудень",
        weekdays: "нд|пн|вт|ср|чт|пт|сб",
        day: "{d} {s}",
        date: "{d} {s} {y}\u{202f}р.",
        month: "{l} {y}\u{202f}р.",
        twelve_hours: false,
    },
    Locale {
        language: "tr",
        decimal: ",",
        group: ".",
        group_from: 1000.0,
        percent_gap: "",
        currency_first: true,
        currency_gap: "",
        compact: &[(3, "\u{a0}B"), (6, "\u{a0}Mn"), (9, "\u{a0}Mr"), (12, "\u{a0}Tn")],
        short_months: "Oca|Şub|Mar|Nis|May|Haz|Tem|Ağu|Eyl|Eki|Kas|Ara",
        long_months: "Ocak|Şubat|Mart|Nisan|Mayıs|Haziran|Temmuz|Ağustos|Eylül|Ekim|Kasım|Aralık",
        weekdays: "Paz|Pzt|Sal|Çar|Per|Cum|Cmt",
        day: "{d} {s}",
        date: "{d} {s} {y}",
        month: "{l} {y}",
        twelve_hours: false,
    },
    Locale {
        language: "ja",
        decimal: ".",
        group: ",",
        group_from: 1000.0,
        percent_gap: "",
        currency_first: true,
        currency_gap: "",
        compact: &[(4, "万"), (8, "億"), (12, "兆")],
        short_months: "1月|2月|3月|4月|5月|6月|7月|8月|9月|10月|11月|12月",
        long_months: "1月|2月|3月|4月|5月|6月|7月|8月|9月|10月|11月|12月",
        weekdays: "日|月|火|水|木|金|土",
        day: "{n}月{d}日",
        date: "{y}年{n}月{d}日",
        month: "{y}年{n}月",
        twelve_hours: false,
    },
    Locale {
        language: "ko",
        decimal: ".",
        group: ",",
        group_from: 1000.0,
        percent_gap: "",
        currency_first: true,
        currency_gap: "",
        compact: &[(3, "천"), (4, "만"), (8, "억"), (12, "조")],
        short_months: "1월|2월|3월|4월|5월|6월|7월|8월|9월|10월|11월|12월",
        long_months: "1월|2월|3월|4월|5월|6월|7월|8월|9월|10월|11월|12월",
        weekdays: "일|월|화|수|목|금|토",
        day: "{s} {d}일",
        date: "{y}년 {s} {d}일",
        month: "{y}년 {l}",
        twelve_hours: false,
    },
    Locale {
        language: "zh",
        decimal: ".",
        group: ",",
        group_from: 1000.0,
        percent_gap: "",
        currency_first: true,
        currency_gap: "",
        compact: &[(4, "万"), (8, "亿"), (12, "万亿")],
        short_months: "1月|2月|3月|4月|5月|6月|7月|8月|9月|10月|11月|12月",
        long_months: "一月|二月|三月|四月|五月|六月|七月|八月|九月|十月|十一月|十二月",
        weekdays: "周日|周一|周二|周三|周四|周五|周六",
        day: "{n}月{d}日",
        date: "{y}年{n}月{d}日",
        month: "{y}年{n}月",
        twelve_hours: false,
    },
    Locale {
        language: "ar",
        decimal: ".",
        group: ",",
        group_from: 1000.0,
        percent_gap: "",
        currency_first: false,
        currency_gap: "\u{a0}",
        compact: SHORT,
        short_months: "يناير|فبراير|مارس|أبريل|مايو|يونيو|يوليو|أغسطس|سبتمبر|أكتوبر|نوفمبر|ديسمبر",
        long_months: "يناير|فبراير|مارس|أبريل|مايو|يونيو|يوليو|أغسطس|سبتمبر|أكتوبر|نوفمبر|ديسمبر",
        weekdays: "الأحد|الاثنين|الثلاثاء|الأربعاء|الخميس|الجمعة|السبت",
        day: "\u{200f}{d} {s}",
        date: "\u{200f}{d} {s} {y}",
        month: "\u{200f}{l} {y}",
        twelve_hours: false,
    },
    Locale {
        language: "he",
        decimal: ".",
        group: ",",
        group_from: 1000.0,
        percent_gap: "",
        currency_first: false,
        currency_gap: "\u{a0}",
        compact: SHORT,
        short_months: "ינו׳|פבר׳|מרץ|אפר׳|מאי|יוני|יולי|אוג׳|ספט׳|אוק׳|נוב׳|דצמ׳",
        long_months: "ינואר|פברואר|מרץ|אפריל|מאי|יוני|יולי|אוגוסט|ספטמבר|אוקטובר|נובמבר|דצמבר",
        weekdays: "יום א׳|יום ב׳|יום ג׳|יום ד׳|יום ה׳|יום ו׳|שבת",
        day: "\u{200f}{d} ב{s}",
        date: "\u{200f}{d} ב{s} {y}",
        month: "\u{200f}{l} {y}",
        twelve_hours: false,
    },
    Locale {
        language: "fa",
        decimal: ".",
        group: ",",
        group_from: 1000.0,
        percent_gap: "",
        currency_first: true,
        currency_gap: "\u{a0}",
        compact: SHORT,
        short_months: "ژانویه|فوریه|مارس|آوریل|مه|ژوئن|ژوئیه|اوت|سپتامبر|اکتبر|نوامبر|دسامبر",
        long_months: "ژانویه|فوریه|مارس|آوریل|مه|ژوئن|ژوئیه|اوت|سپتامبر|اکتبر|نوامبر|دسامبر",
        weekdays: "یکشنبه|دوشنبه|سه\u{200c}شنبه|چهارشنبه|پنجشنبه|جمعه|شنبه",
        day: "\u{200f}{d} {s}",
        date: "\u{200f}{d} {s} {y}",
        month: "\u{200f}{l} {y}",
        twelve_hours: false,
    },
    Locale {
        language: "ur",
        decimal: ".",
        group: ",",
        group_from: 1000.0,
        percent_gap: "",
        currency_first: true,
        currency_gap: "",
        compact: SHORT,
        short_months: "جنوری|فروری|مارچ|اپریل|مئی|جون|جولائی|اگست|ستمبر|اکتوبر|نومبر|دسمبر",
        long_months: "جنوری|فروری|مارچ|اپریل|مئی|جون|جولائی|اگست|ستمبر|اکتوبر|نومبر|دسمبر",
        weekdays: "اتوار|پیر|منگل|بدھ|جمعرات|جمعہ|ہفتہ",
        day: "\u{200f}{d} {s}",
        date: "\u{200f}{d} {s}، {y}",
        month: "\u{200f}{l} {y}",
        twelve_hours: true,
    },
];
