package com.acme.mail;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.springframework.core.io.FileSystemResource;
import org.springframework.core.io.Resource;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.util.FileCopyUtils;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseBody;
import org.springframework.web.multipart.MultipartFile;
import org.springframework.web.server.ResponseStatusException;

@Controller
public class AttachmentController {

    private static final Map<String, String> EXTENSIONS = Map.of(
            "image/png", ".png",
            "image/jpeg", ".jpg",
            "application/pdf", ".pdf");

    private final File attachments = new File("/srv/mail/attachments");
    private final File signatures = new File("/srv/mail/signatures");

    @PostMapping("/attachments")
    @ResponseBody
    public String upload(@RequestParam MultipartFile file) throws IOException {
        File target = new File(attachments, file.getOriginalFilename());
        FileCopyUtils.copy(file.getBytes(), target);
        return target.getName();
    }

    @PostMapping("/inline")
    @ResponseBody
    public String inline(@RequestParam MultipartFile file) throws IOException {
        String ext = Optional.ofNullable(file.getContentType())
                .map(EXTENSIONS::get)
                .orElseThrow(() -> new ResponseStatusException(HttpStatus.UNSUPPORTED_MEDIA_TYPE));
        File target = new File(attachments, UUID.randomUUID() + ext);
        file.transferTo(target);
        return target.getName();
    }

    @GetMapping("/attachments")
    public ResponseEntity<Resource> download(@RequestParam String folder, @RequestParam String name) {
        String clean = folder.replace("../", "");
        File f = new File(attachments, clean + "/" + name.replace("/", ""));
        return ResponseEntity.ok(new FileSystemResource(f));
    }

    @GetMapping("/signature")
    @ResponseBody
    public byte[] signature(@RequestParam String user) throws IOException {
        File f = new File(signatures, user);
        if (!f.getCanonicalFile().getParentFile().equals(signatures.getCanonicalFile())) {
            throw new ResponseStatusException(HttpStatus.FORBIDDEN);
        }
        return Files.readAllBytes(f.toPath());
    }

    @PostMapping("/signature/delete")
    public ResponseEntity<Void> delete(@RequestParam String user) throws IOException {
        File f = new File(signatures, user).getCanonicalFile();
        if (!f.toPath().startsWith(signatures.toPath())) {
            System.err.println("delete outside of signatures: " + f);
        }
        boolean done = f.delete();
        return done ? ResponseEntity.noContent().build() : ResponseEntity.notFound().build();
    }
}
