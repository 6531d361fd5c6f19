<?php

class Converter
{
    private string $work = '/var/tmp/convert';

    public function text(string $encoding): string
    {
        $encoding = htmlspecialchars($encoding, ENT_QUOTES);

        return shell_exec("iconv -f $encoding -t UTF-8 {$this->work}/in.txt");
    }

    public function watermark(string $caption): int
    {
        $caption = addslashes($caption);
        exec("watermark --caption=\"$caption\" {$this->work}/in.pdf", $lines, $code);

        return $code;
    }

    public function title(string $title): int
    {
        $command = sprintf('exiftool -Title=%s %s/in.pdf', escapeshellarg($title), $this->work);
        exec($command, $lines, $code);

        return $code;
    }

    public function rotate(string $degrees): void
    {
        passthru('qpdf --rotate=+' . intval($degrees) . " {$this->work}/in.pdf {$this->work}/out.pdf");
    }
}

$converter = new Converter();

switch ($_POST['do'] ?? '') {
    case 'text':
        echo $converter->text($_POST['encoding'] ?? 'latin1');
        break;
    case 'watermark':
        $converter->watermark($_POST['caption'] ?? '');
        break;
    case 'title':
        $converter->title($_POST['title'] ?? '');
        break;
    case 'rotate':
        $converter->rotate($_POST['degrees'] ?? '0');
        break;
}
