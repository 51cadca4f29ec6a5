"""What WhatsApp writes in place of words, in the languages it exports in: messages that were deleted or have not come yet, calls
that were missed, files; and the mark behind what was edited."""

from __future__ import annotations

import re

_DELETED = (
    *("this message was deleted", "you deleted this message", "you deleted this message as admin", "null"),
    *("diese nachricht wurde gelöscht", "du hast diese nachricht gelöscht", "sie haben diese nachricht gelöscht"),
    *("se eliminó este mensaje", "eliminaste este mensaje", "este mensaje fue eliminado", "este mensaje ha sido eliminado"),
    *("has eliminado este mensaje", "mensagem apagada", "esta mensagem foi apagada", "essa mensagem foi apagada"),
    *("você apagou esta mensagem", "você apagou essa mensagem", "apagou esta mensagem", "apagaste esta mensagem"),
    *("ce message a été supprimé", "vous avez supprimé ce message", "questo messaggio è stato eliminato"),
    *(
        "hai eliminato questo messaggio",
        "dit bericht is verwijderd",
        "dit bericht werd verwijderd",
        "je hebt dit bericht verwijderd",
    ),
    *("u hebt dit bericht verwijderd", "данное сообщение удалено", "это сообщение удалено", "сообщение удалено"),
    *("вы удалили данное сообщение", "вы удалили это сообщение", "це повідомлення видалено", "ви видалили це повідомлення"),
    *("bu mesaj silindi", "bu mesajı sildiniz", "pesan ini telah dihapus", "pesan ini dihapus", "anda telah menghapus pesan ini"),
    *("anda menghapus pesan ini", "このメッセージは削除されました", "このメッセージを削除しました", "メッセージを削除しました"),
    *("삭제된 메시지입니다", "이 메시지는 삭제되었습니다", "이 메시지를 삭제했습니다", "메시지를 삭제했습니다"),
    *("यह संदेश हटा दिया गया था", "यह मैसेज डिलीट कर दिया गया है", "यह मैसेज डिलीट किया गया", "आपने यह संदेश हटा दिया"),
    *("आपने यह मैसेज डिलीट किया", "आपने यह मैसेज डिलीट कर दिया", "تم حذف هذه الرسالة", "لقد حذفت هذه الرسالة", "حذفت هذه الرسالة"),
    *("ta wiadomość została usunięta", "usunięto tę wiadomość", "הודעה זו נמחקה", "מחקת הודעה זו"),
    *("tin nhắn này đã bị xóa", "bạn đã xóa tin nhắn này", "此消息已删除", "您已删除此消息", "已删除此消息", "你删除了这条消息"),
    *("您删除了这条消息", "此訊息已刪除", "這則訊息已刪除", "你已刪除此訊息", "您已刪除此訊息", "您已刪除這則訊息"),
)
_ADMIN = (
    r"(?:group )?(?:admin\w{0,12}|beheerder|amministratore|админ\w{0,12}|адмін\w{0,12}|yönetici"
    r"|管理者|관리자|एडमिन|管理员|管理員)\.?"
)
# "by", "von", "pelo", "par l'", "dall'" and the like before the word for an administrator, whose name follows or stands within.
_BY_ADMIN = (
    rf"[ ,]\w{{0,9}}(?: l)?['’ ]{{0,2}}{_ADMIN}[ ,]?.{{0,80}}",
    rf"diese nachricht wurde von (?:dem )?{_ADMIN} .{{1,80}} gelöscht",
    rf"(?:el )?{_ADMIN} .{{1,80}} eliminó este mensaje",
    rf"bu mesaj .{{1,80}} {_ADMIN} tarafından silindi",
    rf"{_ADMIN}.{{1,80}}(?:删除了此消息|已删除此消息|删除了这条消息|已刪除此訊息)",
)
_MISSED = (
    r"missed (?:group )?(?:voice|video) call|verpasster (?:gruppen)?(?:sprach|video)?anruf",
    r"(?:video)?llamada (?:grupal |de voz )?perdida",
    r"(?:chamada|ligação) (?:de voz |de vídeo |em grupo )?perdida|appel (?:vocal |vidéo )?(?:de groupe )?manqué",
    r"(?:video)?chiamata (?:vocale |di gruppo )?persa|gemiste? (?:spraak|video-?|groeps)?oproep",
    r"пропущенный (?:групповой )?(?:аудио|видео)?звонок|пропущений (?:аудіо|відео)?дзвінок",
    r"cevapsız (?:sesli|görüntülü|grup) arama",
    r"panggilan (?:suara|video|grup) (?:tak|tidak) terjawab|nieodebrane połączenie (?:głosowe|wideo)",
    r"(?:音声通話|ビデオ通話)?[にの]?不在着信(?:（(?:音声|ビデオ)(?:通話)?）)?|부재중 (?:그룹 )?(?:음성|영상) ?통화",
    r"(?:मिस्ड|छूटी हुई) (?:वॉइस|वॉयस|वीडियो) कॉल|مكالمة (?:صوتية|فيديو) فائتة",
    r"未接(?:语音|视频|語音|視訊|群组|群組)?(?:通话|通話|来电|來電)",
)
_AWAITED = (
    *("waiting for this message", "warten auf diese nachricht", "esperando este mensaje", "esperando el mensaje"),
    *("aguardando mensagem", "aguardando esta mensagem", "aguardando essa mensagem", "a aguardar esta mensagem"),
    *("en attente de ce message", "in attesa del messaggio", "in attesa di questo messaggio", "wachten op dit bericht"),
    *(
        "ожидание данного сообщения",
        "ожидание сообщения",
        "bu mesaj bekleniyor",
        "menunggu pesan ini",
        "メッセージを待っています",
    ),
    *(
        "このメッセージを待っています",
        "메시지를 기다리는 중",
        "이 메시지를 기다리는 중입니다",
        "इस मैसेज का इंतज़ार है",
        "正在等待此消息",
        "正在等待此訊息",
    ),
)
_A_WHILE = "|".join(
    (
        "this may take a while|d(?:ie|a)s kann (?:eine weile|einen moment) dauern|esto puede (?:demorar|tardar)[^.]{0,20}",
        "(?:isso|isto|essa ação) pode (?:demorar|levar)[^.]{0,30}|cela peut prendre[^.]{0,30}|l'operazione potrebbe[^.]{0,40}",
        "dit kan even duren|это может занять[^.]{0,30}|bu biraz zaman alabilir|ini mungkin[^.]{0,30}",
    )
)
_NOTHING = re.compile(
    rf"(?:{'|'.join(map(re.escape, _DELETED))})(?:{_BY_ADMIN[0]})?|{'|'.join(_BY_ADMIN[1:])}"
    rf"|(?:{'|'.join(_MISSED)})(?: \w{{1,3}})?(?: \d{{1,2}}[:.]\d{{2}}.{{0,6}})?"
    rf"|(?:{'|'.join(map(re.escape, _AWAITED))})(?:[.。…]\s?(?:{_A_WHILE})\.?(?:\s?learn more)?)?"
)
_ATTACHED = "|".join(
    (
        "file attached|datei angehängt|archivo adjunto|arquivo anexado|ficheiro anexado|fichier joint|file allegato|allegato",
        "bestand bijgevoegd|файл добавлен|файл прикреплен|файл додано|dosya ekli|file terlampir|plik dołączony|załączony plik",
        "添付ファイル|ファイル添付|ファイルが添付されています|파일 첨부됨|첨부 파일|파일 첨부",
        "फ़ाइल संलग्न|फ़ाइल अटैच की गई|الملف مرفق|ملف مرفق",
        "קובץ מצורף|文件附件|附件文件|文件已附加|檔案附件|附加檔案|檔案已附加|tệp đính kèm",
    )
)
_FILE = re.compile(rf"\u200e?[^\n/\\]{{1,200}}\.\w{{1,8}} \((?:{_ATTACHED})\)(?:\n|\Z)", re.IGNORECASE)
_EDIT = "|".join(
    (
        "edited|bearbeitet|edit(?:ó|ado|ada)|modifié|modificato|bewerkt|изменено|отредактировано|змінено|düzenlendi|diedit",
        "編集|수정|편집|एडिट|संपादित|编辑|編輯|edytowan|redigera|تعديل|נערכה|chỉnh sửa",
    )
)
_EDITED = re.compile(rf"\s?(?:\u200e<[^<>\n]{{2,60}}>|<[^<>\n]{{0,60}}(?:{_EDIT})[^<>\n]{{0,40}}>)\Z", re.IGNORECASE)


def is_no_words(text: str) -> bool:
    """Whether the program wrote all of ``text`` in place of words."""
    return _NOTHING.fullmatch(text.lower().rstrip(".。 ")) is not None


def without_file(text: str) -> str:
    """What somebody wrote beneath a file that was sent; all of it, where none was."""
    return _FILE.sub("", text, count=1) if _FILE.match(text) else text


def without_edit(text: str) -> str:
    """What somebody wrote and edited, without the mark that says so."""
    return _EDITED.sub("", text)
