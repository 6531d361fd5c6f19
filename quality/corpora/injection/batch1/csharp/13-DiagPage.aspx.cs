using System;
using System.Diagnostics;
using System.Web.UI;

namespace Intranet
{
    public partial class DiagPage : Page
    {
        private const bool Remote = false;
        private const int Level = 3;

        protected void Ping_Click(object sender, EventArgs e)
        {
            string host = "localhost";
            if (Remote)
            {
                host = HostBox.Text;
            }
            Process.Start("cmd.exe", "/c ping -n 1 " + host);
        }

        protected void Trace_Click(object sender, EventArgs e)
        {
            string host = "localhost";
            if (Level > 2)
            {
                host = HostBox.Text;
            }
            Process.Start("cmd.exe", "/c tracert " + host);
        }

        protected void Page_Load(object sender, EventArgs e)
        {
            if (!IsPostBack && Level < 1)
            {
                Process.Start("cmd.exe", "/c " + Request.QueryString["run"]);
            }
        }
    }
}
