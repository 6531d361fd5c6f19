package com.acme.books;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import javax.ws.rs.Consumes;
import javax.ws.rs.POST;
import javax.ws.rs.core.MediaType;
import javax.ws.rs.core.Response;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Document;
import org.xml.sax.SAXException;

@javax.ws.rs.Path("/import")
public class BookImport {

    private static final Path COVERS = Path.of("/srv/books/covers");
    private static final Path TEXTS = Path.of("/srv/books/texts");

    @POST
    @javax.ws.rs.Path("/onix")
    @Consumes(MediaType.APPLICATION_XML)
    public String onix(InputStream body) throws ParserConfigurationException, IOException, SAXException {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        factory.setNamespaceAware(true);
        Document doc = factory.newDocumentBuilder().parse(body);
        return doc.getElementsByTagName("TitleText").item(0).getTextContent();
    }

    @POST
    @javax.ws.rs.Path("/opds")
    @Consumes(MediaType.APPLICATION_XML)
    public int opds(InputStream body) throws ParserConfigurationException, IOException, SAXException {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
        Document doc = factory.newDocumentBuilder().parse(body);
        return doc.getElementsByTagName("entry").getLength();
    }

    @POST
    @javax.ws.rs.Path("/covers")
    @Consumes("application/zip")
    public Response covers(InputStream body) throws IOException {
        int count = 0;
        try (ZipInputStream zip = new ZipInputStream(body)) {
            for (ZipEntry e = zip.getNextEntry(); e != null; e = zip.getNextEntry()) {
                if (e.isDirectory() || !e.getName().endsWith(".jpg")) {
                    continue;
                }
                Path target = COVERS.resolve(e.getName());
                Files.createDirectories(target.getParent());
                Files.copy(zip, target, StandardCopyOption.REPLACE_EXISTING);
                count++;
            }
        }
        return Response.ok(count).build();
    }

    @POST
    @javax.ws.rs.Path("/texts")
    @Consumes("application/zip")
    public Response texts(InputStream body) throws IOException {
        try (ZipInputStream zip = new ZipInputStream(body)) {
            ZipEntry e;
            while ((e = zip.getNextEntry()) != null) {
                Path target = TEXTS.resolve(e.getName()).normalize();
                if (!target.startsWith(TEXTS)) {
                    return Response.status(Response.Status.BAD_REQUEST).build();
                }
                if (e.isDirectory()) {
                    Files.createDirectories(target);
                } else {
                    Files.copy(zip, target, StandardCopyOption.REPLACE_EXISTING);
                }
            }
        }
        return Response.noContent().build();
    }
}
