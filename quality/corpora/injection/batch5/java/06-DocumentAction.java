package gov.records.action;

import com.opensymphony.xwork2.ActionSupport;
import java.io.File;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.apache.commons.io.FileUtils;
import org.apache.commons.text.StringEscapeUtils;
import org.apache.struts2.action.UploadedFilesAware;
import org.apache.struts2.dispatcher.multipart.UploadedFile;
import org.hibernate.Session;
import org.hibernate.SessionFactory;

public class DocumentAction extends ActionSupport implements UploadedFilesAware {

    private static final File ROOT = new File("/srv/records");
    private static final Set<String> EXTENSIONS = Set.of("pdf", "docx", "odt", "txt");

    private final SessionFactory sessions;

    private File upload;
    private String saveAs;
    private String folder;
    private String category;
    private String extension;
    private int page;
    private List<?> documents;

    public DocumentAction(SessionFactory sessions) {
        this.sessions = sessions;
    }

    @Override
    public String execute() throws IOException {
        if (saveAs == null || saveAs.isBlank()) {
            addActionError(getText("upload.name.required"));
            return INPUT;
        }
        FileUtils.copyFile(upload, destination());
        return SUCCESS;
    }

    private File destination() {
        File target = folder == null ? ROOT : new File(ROOT, folder);
        return new File(target, saveAs);
    }

    public String quickUpload() throws IOException {
        if (!EXTENSIONS.contains(extension)) {
            return INPUT;
        }
        File inbox = new File(ROOT, "inbox");
        FileUtils.copyFile(upload, new File(inbox, UUID.randomUUID() + "." + extension));
        return SUCCESS;
    }

    public String list() {
        Session session = sessions.getCurrentSession();
        String filter = StringEscapeUtils.escapeHtml4(category);
        documents = session.createNativeQuery(
                "select id, title from documents where category = '" + filter + "'", Object[].class)
                .getResultList();
        return SUCCESS;
    }

    public String recent() {
        Session session = sessions.getCurrentSession();
        String hql = "select d.title from Document d where d.page = " + page + " order by d.filed desc";
        documents = session.createQuery(hql, String.class).setMaxResults(25).list();
        return SUCCESS;
    }

    @Override
    public void withUploadedFiles(List<UploadedFile> files) { this.upload = (File) files.get(0).getContent(); }

    public void setSaveAs(String saveAs) { this.saveAs = saveAs.trim(); }

    public void setFolder(String folder) { this.folder = folder; }

    public void setCategory(String category) { this.category = category; }

    public void setExtension(String extension) { this.extension = extension; }

    public void setPage(int page) { this.page = page; }

    public List<?> getDocuments() { return documents; }
}
