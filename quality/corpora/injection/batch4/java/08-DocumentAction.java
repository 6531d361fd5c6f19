package com.brightgov.dms.action;

import com.opensymphony.xwork2.ActionSupport;
import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.apache.commons.io.FilenameUtils;
import org.apache.struts2.ServletActionContext;
import org.apache.struts2.interceptor.parameter.StrutsParameter;

public class DocumentAction extends ActionSupport {

    private static final File STORE = new File("/var/dms/store");
    private static final File INBOX = new File("/var/dms/inbox");

    private String folder;
    private String documentName;
    private InputStream inputStream;

    public String view() throws IOException {
        File document = new File(STORE, folder + File.separator + documentName);
        inputStream = new FileInputStream(document);
        return SUCCESS;
    }

    public String print() throws IOException {
        String base = FilenameUtils.getName(documentName);
        inputStream = new FileInputStream(new File(STORE, base + ".pdf"));
        return SUCCESS;
    }

    public String importArchive() throws IOException {
        try (ZipInputStream zip = new ZipInputStream(ServletActionContext.getRequest().getInputStream())) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                if (!entry.isDirectory()) {
                    unpack(zip, entry.getName());
                }
            }
        }
        return SUCCESS;
    }

    private void unpack(InputStream data, String name) throws IOException {
        try (OutputStream out = new FileOutputStream(new File(INBOX, name))) {
            data.transferTo(out);
        }
    }

    public String importSigned() throws IOException {
        String root = INBOX.getCanonicalPath() + File.separator;
        try (ZipInputStream zip = new ZipInputStream(ServletActionContext.getRequest().getInputStream())) {
            ZipEntry entry;
            while ((entry = zip.getNextEntry()) != null) {
                File target = new File(INBOX, entry.getName());
                if (entry.isDirectory() || !target.getCanonicalPath().startsWith(root)) {
                    continue;
                }
                try (OutputStream out = new FileOutputStream(target)) {
                    zip.transferTo(out);
                }
            }
        }
        return SUCCESS;
    }

    @StrutsParameter
    public void setFolder(String folder) { this.folder = folder; }

    @StrutsParameter
    public void setDocumentName(String documentName) { this.documentName = documentName; }

    public InputStream getInputStream() { return inputStream; }
}
