using System;
using System.IO;
using System.Linq;
using System.Web;
using System.Web.UI;
using System.Web.UI.WebControls;

namespace Desk.Web
{
    public partial class Attachments : Page
    {
        private static readonly string[] Extensions = { ".png", ".jpg", ".pdf" };

        protected FileUpload Upload;
        protected TextBox SaveAs;
        protected Label Message;

        protected void Send_Click(object sender, EventArgs e)
        {
            if (!Upload.HasFile)
                return;

            var ext = Path.GetExtension(Upload.FileName).ToLowerInvariant();
            if (!Extensions.Contains(ext))
            {
                Message.Text = "This kind of file is not accepted.";
                return;
            }

            var wanted = SaveAs.Text.Trim();
            if (wanted.Length == 0)
                Upload.SaveAs(Server.MapPath("~/App_Data/att/") + Guid.NewGuid().ToString("N") + ext);
            else
                Upload.SaveAs(Server.MapPath("~/App_Data/att/") + wanted + ext);
            Message.Text = "Thank you.";
        }

        protected void Page_Load(object sender, EventArgs e)
        {
            var show = Request.QueryString["show"];
            if (show == null)
                return;
            Response.ContentType = "application/octet-stream";
            Response.WriteFile(Server.MapPath("~/App_Data/att/") + show);
            Response.End();
        }

        protected void Clear_Click(object sender, EventArgs e)
        {
            File.Delete(Path.Combine(Server.MapPath("~/App_Data/att"), Path.GetFileName(Request.Form["old"])));
        }
    }
}
