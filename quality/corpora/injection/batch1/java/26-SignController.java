package docs.sign;

import java.io.IOException;
import java.util.List;
import org.springframework.web.bind.annotation.*;

@RestController
@RequestMapping("/sign")
public class SignController {

    @PostMapping("/stamp")
    public int stamp(@RequestParam String text) throws IOException, InterruptedException {
        Process p = new ProcessBuilder("pdfstamp", "--text=" + text, "/srv/doc/in.pdf", "/srv/doc/out.pdf").start();
        return p.waitFor();
    }

    @PostMapping("/mark")
    public int mark(@RequestParam String text) throws IOException, InterruptedException {
        List<String> args = List.of("cmd.exe", "/c", "pdfmark /text:" + text + " out.pdf");
        return new ProcessBuilder(args).start().waitFor();
    }

    @PostMapping("/note")
    public int note(@RequestParam String text) throws IOException, InterruptedException {
        Runtime rt = Runtime.getRuntime();
        return rt.exec(new String[] {"/bin/bash", "-lc", "pdfnote --add \"" + text + "\" /srv/doc/out.pdf"}).waitFor();
    }
}
